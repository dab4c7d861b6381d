/**
 * An answer row by row about several files: an album for most of them, and a word of its own for single ones. As it is
 * stored: `rows:album=<id>&<job>=track:<id>&<job>=none&<job>=ask`, percent-encoded as in an address.
 */

/** `track:<id>`; `none`: left out; `ask`: asked about by itself. */
export type RowWord = `track:${string}` | 'none' | 'ask';

export interface RowAnswer {
  /** Null: each is what was proposed for it. */
  album_id: string | null;
  /** By job; the others are as the album, or the proposal, has them. */
  rows: Readonly<Record<string, RowWord>>;
}

const PREFIX = 'rows:';
const ALBUM = 'album';

export function writeRows({ album_id, rows }: RowAnswer): string {
  const parts = new URLSearchParams(album_id === null ? [] : [[ALBUM, album_id]]);
  for (const [job, word] of Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1))) parts.append(job, word);
  return `${PREFIX}${parts}`;
}

/** Null: it is no such answer, or not one that can be read. */
export function readRows(selected: string): RowAnswer | null {
  if (!selected.startsWith(PREFIX)) return null;
  let album_id: string | null = null;
  const rows: Record<string, RowWord> = {};
  for (const [name, word] of new URLSearchParams(selected.slice(PREFIX.length))) {
    if (name === ALBUM) album_id = word;
    else if (isWord(word)) rows[name] = word;
    else return null;
  }
  return { album_id, rows };
}

const isWord = (word: string): word is RowWord =>
  word === 'none' || word === 'ask' || (word.startsWith('track:') && word.length > 'track:'.length);

/** The track that a word names. */
export const trackOf = (word: RowWord | undefined): string | null =>
  word?.startsWith('track:') === true ? word.slice('track:'.length) : null;

/** Jobs with this word. */
export function jobsSaid({ rows }: RowAnswer, word: 'none' | 'ask'): string[] {
  return Object.entries(rows).flatMap(([job, said]) => (said === word ? [job] : []));
}
