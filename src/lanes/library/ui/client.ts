/** How the pages reach the library: its worker, and what only a page may ask the browser. */
import { proxy, type Remote } from 'comlink';
import { askFor, canHandOver, canPick, isDirectory } from '#adapters/browser/plans/file-system-access.types.ts';
import { enginePlaces } from '#adapters/toolbox/browser/kept-engines.ts';
import type { LibraryApi } from '#lanes/library/browser/library-api.types.ts';
import { serveWorker, WorkerClient } from '#ui/client/workers.ts';

export { askFor, proxy };
export type {
  AgentRow,
  AgentsState,
  AskEvidence,
  AskProgress,
  AskWish,
  FolderState,
  LibraryFile,
  LibraryAnswer,
  LibraryHit,
  LibrarySource,
  RefusedTool,
  ToolsState,
} from '#lanes/library/browser/library-api.types.ts';
export type { RefusedFile } from '#lanes/library/core/model/live-agents.ts';
export type { LibraryAskRow, LibraryFolderRow } from '#lanes/library/browser/schema.ts';

/** Reads files for the library's worker, which asks the page to start it. */
const newReader = (): Worker =>
  new Worker(new URL('../../../../workers/reading.worker.ts', import.meta.url), { type: 'module', name: 'reading' });

const worker = new WorkerClient<LibraryApi>(() => {
  const library = new Worker(new URL('../../../../workers/library.worker.ts', import.meta.url), {
    type: 'module',
    name: 'library',
  });
  return serveWorker(library, { reading: newReader });
});

/** The one that was told where the engines of tools are. */
let told: Remote<LibraryApi> | null = null;

export function library(): Remote<LibraryApi> {
  const api = worker.get();
  if (api !== told) void api.askEngines(enginePlaces());
  told = api;
  return api;
}

/** Whether the browser hands over folders that stay open to it: Chromium and Edge, on a secure origin. */
export const canKeepFolders = (): boolean => canPick(window);

/** The folder that the person picks; null when they close the picker. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!canPick(window)) return null;
  try {
    return await window.showDirectoryPicker({ id: 'library', mode: 'read' });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

/** Whether the browser hands over what is dropped as handles, so that nobody has to list it first. */
export const handsOver = (transfer: DataTransfer): boolean => Array.from(transfer.items).every(canHandOver);

/** The folders of a drop, where the browser hands them over to be kept. Call it before anything is awaited. */
export async function foldersOfDrop(transfer: DataTransfer): Promise<FileSystemDirectoryHandle[]> {
  const handles = Array.from(transfer.items).flatMap((item) =>
    item.kind === 'file' && canHandOver(item) ? [item.getAsFileSystemHandle()] : [],
  );
  return (await Promise.all(handles)).flatMap((handle) => (handle !== null && isDirectory(handle) ? [handle] : []));
}
