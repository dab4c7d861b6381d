/** Which files of a drop belong to lanes that read them themselves. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { LaneDrops } from '../lane-ui.ts';

export interface DropPart<Lane> {
  lane: Lane;
  files: readonly DroppedFile[];
}

/** The folder of the drop that a file is in; '' for a loose one. */
export const topOf = ({ path }: Pick<DroppedFile, 'path'>): string =>
  path.includes('/') ? (path.split('/')[0] ?? '') : '';

/** A lane whose code cannot be loaded claims nothing: its files are taken in as they ever were. */
export async function partsOfDrop<Lane extends { drops?: LaneDrops }>(
  files: readonly DroppedFile[],
  lanes: readonly Lane[],
): Promise<{ parts: DropPart<Lane>[]; rest: readonly DroppedFile[] }> {
  let rest = files;
  const parts: DropPart<Lane>[] = [];
  const offering = lanes.flatMap((lane) => (lane.drops ? [{ lane, drops: lane.drops }] : []));
  for (const { lane, drops } of offering.toSorted((a, b) => a.drops.priority - b.drops.priority)) {
    if (!rest.some(({ path }) => drops.names.test(path))) continue;
    const asked = rest;
    const claimed = await drops.load().then(
      (taker) => taker.claim(asked),
      () => [],
    );
    if (claimed.length === 0) continue;
    const own = new Set(claimed);
    parts.push({ lane, files: rest.filter((file) => own.has(file)) });
    rest = rest.filter((file) => !own.has(file));
  }
  return { parts, rest };
}

/** The one folder that all these files are in, of those that the browser opened, where nothing else of the drop is in it. */
export function folderOf(
  files: readonly DroppedFile[],
  drop: readonly DroppedFile[],
  folders: readonly FileSystemDirectoryHandle[],
): FileSystemDirectoryHandle | null {
  const [first] = files;
  const top = first === undefined ? '' : topOf(first);
  const own = new Set(files);
  if (!files.every((file) => topOf(file) === top) || drop.some((file) => topOf(file) === top && !own.has(file)))
    return null;
  return folders.find(({ name }) => name === top) ?? null;
}
