/** Where a run's tools compute at the terminal. */
export { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
