/** How the pages reach the guides: their worker. */
import { proxy, type Remote } from 'comlink';
import type { GuideApi } from '#lanes/guide/browser/guide-api.types.ts';
import { serveWorker, WorkerClient } from '#ui/client/workers.ts';

export { proxy };
export type {
  Answered,
  AnswerWish,
  Card,
  Cell,
  ChannelName,
  Dismissal,
  DryRun,
  FaultRow,
  FaultType,
  EditedField,
  Gates,
  Grid,
  GridRow,
  Health,
  HealthPoint,
  MendRow,
  RunRecord,
  ScheduleChannel,
  ScheduleRow,
} from '#lanes/guide/browser/guide-api.types.ts';

const worker = new WorkerClient<GuideApi>(() =>
  serveWorker(
    new Worker(new URL('../../../../workers/guide.worker.ts', import.meta.url), { type: 'module', name: 'guide' }),
  ),
);

export const guides = (): Remote<GuideApi> => worker.get();

let watching = false;

/** Once a page; one tab of all has the cadence. */
export function watchGuides(): void {
  if (watching) return;
  watching = true;
  void guides().watch();
}
