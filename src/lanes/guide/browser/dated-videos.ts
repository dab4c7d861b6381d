/** What the worker of guides is made with besides its service: videos with the days that the catalog knows of them. */
export { withAirDates } from '#lanes/guide/core/schedule/air-dates.ts';
