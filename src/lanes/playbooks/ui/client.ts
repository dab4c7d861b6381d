/** How the pages reach the playbooks: their worker. */
import { proxy, type Remote } from 'comlink';
import { enginePlaces } from '#adapters/toolbox/browser/kept-engines.ts';
import type { PlaybookApi } from '#lanes/playbooks/browser/playbook-api.types.ts';
import { serveWorker, WorkerClient } from '#ui/client/workers.ts';

export { proxy };
export { RECORDING } from '#lanes/playbooks/browser/playbook-api.types.ts';
export type {
  BookCheck,
  ConfigKey,
  Fault,
  Limits,
  RunAnswer,
  RunDiff,
  RunView,
  RunWish,
  UnitTrace,
  WithModel,
} from '#lanes/playbooks/browser/playbook-api.types.ts';
export type { PlaybookRow, PlaybookRunRow } from '#lanes/playbooks/browser/schema.ts';

const worker = new WorkerClient<PlaybookApi>(() =>
  serveWorker(
    new Worker(new URL('../../../../workers/playbooks.worker.ts', import.meta.url), {
      type: 'module',
      name: 'playbooks',
    }),
  ),
);

/** The one that was told where the engines of its tools are. */
let told: Remote<PlaybookApi> | null = null;

export function playbooks(): Remote<PlaybookApi> {
  const api = worker.get();
  if (api !== told) void api.engines(enginePlaces());
  told = api;
  return api;
}
