/** What the editor sends: the body of a new album, and the changes of one that exists, in an order that works. */
import { rowLength, type AlbumDraft, type TrackDraft } from './album-draft.ts';

/** The draft must have passed `checkDraft`. */
export function albumBody(draft: AlbumDraft) {
  const year = draft.year.trim();
  return {
    title: draft.title.trim(),
    artist: draft.artist.trim(),
    year: year === '' ? null : Number(year),
    is_compilation: draft.is_compilation,
  };
}

export function trackBody(row: TrackDraft) {
  const artist = row.artist.trim();
  return {
    title: row.title.trim(),
    disc: Number(row.disc),
    position: Number(row.position),
    duration_ms: rowLength(row),
    ...(artist === '' ? {} : { artist }),
  };
}

/** The fields that differ, or null. */
export function changed<T extends object>(before: T, after: T): Partial<T> | null {
  const entries = Object.entries(after).filter(([field, value]) => before[field as keyof T] !== value);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<T>);
}

export interface Place {
  id: string;
  disc: number;
  position: number;
}

/**
 * The moves that bring tracks from their places to others, one at a time, while no place ever holds two:
 * a place must be free before a track moves in, and a ring of tracks is opened by parking one behind all others.
 * Tracks that stay must be among both lists.
 */
export function planMoves(before: readonly Place[], after: readonly Place[]): Place[] {
  const at = new Map(before.map((place) => [nameOf(place), place.id]));
  const now = new Map(before.map((place) => [place.id, place]));
  const moves: Place[] = [];
  const move = (to: Place): void => {
    const from = now.get(to.id);
    if (from !== undefined) at.delete(nameOf(from));
    at.set(nameOf(to), to.id);
    now.set(to.id, to);
    moves.push(to);
  };
  let open = after.filter((place) => !same(now.get(place.id), place));
  while (open.length > 0) {
    const free = open.filter((place) => !at.has(nameOf(place)));
    for (const place of free) move(place);
    open = open.filter((place) => !same(now.get(place.id), place));
    const [stuck] = open;
    if (free.length > 0 || stuck === undefined) continue;
    const last = Math.max(...[...now.values(), ...after].map((place) => place.position));
    move({ ...(now.get(stuck.id) ?? stuck), position: last + 1 });
  }
  return moves;
}

function nameOf(place: Place): string {
  return `${place.disc}/${place.position}`;
}

function same(a: Place | undefined, b: Place): boolean {
  return a?.disc === b.disc && a.position === b.position;
}
