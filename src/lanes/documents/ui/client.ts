/** How the pages reach the documents: their worker, and what only a page may ask the browser. */
import { proxy, type Remote } from 'comlink';
import { askFor, canHandOver, canPick, isDirectory } from '#adapters/browser/plans/file-system-access.types.ts';
import { isRenaming } from '#adapters/browser/plans/journal-store.ts';
import type { DocumentsApi } from '#lanes/documents/browser/documents-api.types.ts';
import type { SharingApi } from '#lanes/documents/browser/lane-browser.ts';
import { laneApi, WorkerClient } from '#ui/client/workers.ts';

export { askFor, proxy };
export type {
  DocumentAction,
  DocumentEvidence,
  DocumentRecord,
  DocumentRow,
  DocumentsApplied,
  DocumentSource,
  DocumentsPreview,
  DocumentsProgress,
  DroppedDocument,
  Identifier,
  OpenedDocuments,
} from '#lanes/documents/browser/documents-api.types.ts';
export type { DocumentPlanRow } from '#lanes/documents/browser/schema.ts';

const worker = new WorkerClient<DocumentsApi>(
  () =>
    new Worker(new URL('../../../../workers/documents.worker.ts', import.meta.url), {
      type: 'module',
      name: 'documents',
    }),
);

/** Something waits for the catalog server; without this it goes with the next pull. */
export const sendSoon = async (): Promise<void> =>
  laneApi<SharingApi>('documents')
    .sendSoon()
    .catch(() => undefined);

export const documents = (): Remote<DocumentsApi> => worker.get();

/** Whether the browser hands over folders that can be written to: Chromium and Edge, on a secure origin. */
export const canKeepFolders = (): boolean => canPick(window);

/** Whether files are being changed now, from this tab or another: then nothing was interrupted. */
export const isUnderWay = async (): Promise<boolean> => 'locks' in navigator && isRenaming(navigator.locks);

/** The folder that the person picks; null when they close the picker. Reading is asked for; writing when they confirm. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!canPick(window)) return null;
  try {
    return await window.showDirectoryPicker({ id: 'documents', mode: 'read' });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

/** The first folder of a drop, where the browser hands it over to be written to. Call it before anything is awaited. */
export async function folderOfDrop(transfer: DataTransfer): Promise<FileSystemDirectoryHandle | null> {
  const handles = Array.from(transfer.items).flatMap((item) =>
    item.kind === 'file' && canHandOver(item) ? [item.getAsFileSystemHandle()] : [],
  );
  for (const handle of await Promise.all(handles)) if (handle !== null && isDirectory(handle)) return handle;
  return null;
}
