/** How the pages reach the playbooks: their worker. */
import { proxy, type Remote } from 'comlink';
import { allowed, askFor, canPick } from '#adapters/browser/plans/file-system-access.types.ts';
import { enginePlaces } from '#adapters/toolbox/browser/kept-engines.ts';
import type { PlaybookApi } from '#lanes/playbooks/browser/playbook-api.types.ts';
import { serveWorker, WorkerClient } from '#ui/client/workers.ts';

/** Asks the person where that is needed: from a gesture of theirs. */
export const mayWrite = (folder: FileSystemDirectoryHandle): Promise<boolean> => askFor(folder, 'readwrite');
export const isOpen = (folder: FileSystemDirectoryHandle): Promise<boolean> => allowed(folder, 'readwrite');
/** Whether the browser hands over folders that stay open to it: Chromium and Edge, on a secure origin. */
export const canKeepFolders = (): boolean => canPick(window);

/** The folder that the person picks, open for writing; null when they close the picker or say no. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!canPick(window)) return null;
  try {
    const folder = await window.showDirectoryPicker({ id: 'playbooks', mode: 'read' });
    return (await mayWrite(folder)) ? folder : null;
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

export { proxy };
export { ON_SERVER, RECORDING } from '#lanes/playbooks/browser/playbook-api.types.ts';
export type {
  Again,
  BookCheck,
  ConfigKey,
  Fault,
  FileLook,
  Limits,
  Mark,
  PartAnswer,
  RunAnswer,
  RunDiff,
  RunView,
  RunWish,
  SharedRun,
  TableWish,
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
