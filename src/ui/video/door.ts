/** The page's way to the folders of videos: the worker, and what only a page may ask the browser. */
import { proxy, type Remote } from 'comlink';
import { askFor, canHandOver, canPick, isDirectory } from '#adapters/browser/video/file-system-access.types.ts';
import { RENAME_LOCK } from '#adapters/browser/video/rename-lock.ts';
import type { VideoApi } from '#adapters/browser/video/video-api.types.ts';
import type { PlanClient } from '#adapters/http/plan-client.ts';
import { readToken, serverBase } from '../catalog-door.ts';
import { Door } from '../client.ts';

export { askFor, proxy };
export type {
  FolderRead,
  FolderSource,
  PreviewRow,
  ReadAnswers,
  RecoveredFolder,
  RenamePreview,
  VideoApi,
} from '#adapters/browser/video/video-api.types.ts';
export type { Advice, AskProgress, FolderAdvice } from '#adapters/browser/video/model-advice.types.ts';
export type { VideoFolderRow } from '#adapters/browser/video/rows.types.ts';

const door = new Door<VideoApi>(
  () => new Worker(new URL('../../../workers/video.worker.ts', import.meta.url), { type: 'module', name: 'video' }),
);

export const video = (): Remote<VideoApi> => door.get();

/** Plans on the server that is set now; null where nobody has signed in to it. */
export async function serverPlans(): Promise<PlanClient | null> {
  if ((await readToken()) === null) return null;
  const { createPlanClient } = await import('#adapters/http/plan-client.ts');
  return createPlanClient({ baseUrl: await serverBase(), token: readToken });
}

/** Whether files in folders can be renamed from here: Chromium and Edge, on a secure origin. */
export const canRename = (): boolean => canPick(window);

/** Whether files are being renamed now, from this tab or another: then nothing was interrupted. */
export async function renameUnderWay(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held } = await navigator.locks.query();
  return held?.some(({ name }) => name === RENAME_LOCK) ?? false;
}

/** The folder that the person picks; null when they close the picker. Reading is asked for; writing when they confirm. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  if (!canPick(window)) return null;
  try {
    return await window.showDirectoryPicker({ id: 'videos', mode: 'read' });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

/** The first folder of a drop, where the browser hands it over to be written to. Call it before anything is awaited. */
export function folderOfDrop(transfer: DataTransfer): Promise<FileSystemDirectoryHandle | null> {
  const handles = Array.from(transfer.items).flatMap((item) =>
    item.kind === 'file' && canHandOver(item) ? [item.getAsFileSystemHandle()] : [],
  );
  return Promise.all(handles).then((all) => {
    for (const handle of all) if (handle !== null && isDirectory(handle)) return handle;
    return null;
  });
}
