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
  const words = Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [...(album_id === null ? [] : [[ALBUM, album_id]]), ...words];
  return `${PREFIX}${parts.map((part) => part.map(encodeURIComponent).join('=')).join('&')}`;
}

/** Null: it is no such answer, or not one that can be read. */
export function readRows(selected: string): RowAnswer | null {
  if (!selected.startsWith(PREFIX)) return null;
  let album_id: string | null = null;
  const rows: Record<string, RowWord> = {};
  for (const part of selected.slice(PREFIX.length).split('&')) {
    if (part === '') continue;
    const [name, word] = part.split('=').map(decoded);
    if (name === ALBUM && word) album_id = word;
    else if (name && isWord(word ?? '')) rows[name] = word as RowWord;
    else return null;
  }
  return { album_id, rows };
}

/** '' for what is not encoded as in an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
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
