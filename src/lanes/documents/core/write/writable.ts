/**
 * Whether something may be added to the end of a PDF so that every reader finds it: by its bytes alone, before any
 * library reads it generously.
 */

/** Bytes. */
const LARGEST = 200_000_000;
/** So far before the end readers look for `startxref`. */
const TAIL = 2_048;
/** So much of a table's dictionary is read. */
const HEAD = 65_536;

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Array.from(bytes.subarray(Math.max(0, start), end), (byte) => String.fromCharCode(byte)).join('');

/** Null: it may; else why not, as a part of a sentence. */
export function whyNotWritable(bytes: Uint8Array): string | null {
  if (bytes.length > LARGEST) return `it is larger than ${LARGEST / 1_000_000} MB`;
  if (latin1(bytes, 0, 5) !== '%PDF-')
    return 'it does not begin as a PDF: bytes stand before it, and every place in it is shifted';
  const tail = latin1(bytes, bytes.length - TAIL, bytes.length);
  const last = [...tail.matchAll(/startxref\s+(\d+)\s+%%EOF/g)].at(-1);
  if (last === undefined) return 'its end is missing';
  const seen = new Set<number>();
  for (let at: number | null = Number(last[1]); at !== null;) {
    if (seen.has(at)) return DAMAGED;
    seen.add(at);
    const section = sectionAt(bytes, at);
    if (section === null) return DAMAGED;
    if (/\/Encrypt\b/.test(section)) return 'it is encrypted: what it allows may not be changed';
    const previous = /\/Prev\s+(\d+)/.exec(section)?.[1];
    at = previous === undefined ? null : Number(previous);
  }
  return null;
}

const DAMAGED = 'its table of objects is damaged, so that readers rebuild it and would lose what is added';

/** The dictionary of the table of objects at this place: of a classic table its trailer's; null where there is none. */
function sectionAt(bytes: Uint8Array, at: number): string | null {
  if (at <= 0 || at >= bytes.length) return null;
  const head = latin1(bytes, at, at + 40);
  if (/^\s*\d+\s+\d+\s+obj\b/.test(head)) {
    const dictionary = latin1(bytes, at, at + HEAD);
    const whole = dictionary.slice(0, dictionary.search(/\bstream\r?\n/));
    return /\/Type\s*\/XRef\b/.test(whole) ? whole : null;
  }
  if (!/^\s*xref\b/.test(head)) return null;
  const trailer = indexOf(bytes, 'trailer', at);
  if (trailer < 0) return null;
  const text = latin1(bytes, trailer, trailer + HEAD);
  return text.slice(0, text.search(/\bstartxref\b/) + 1 || undefined);
}

function indexOf(bytes: Uint8Array, word: string, from: number): number {
  const [first = 0, ...rest] = Array.from(word, (letter) => letter.charCodeAt(0));
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (rest.every((code, i) => bytes[at + 1 + i] === code)) return at;
  return -1;
}
