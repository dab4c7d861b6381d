/** Entries that name a work: authors, year, title, journal. Of another title than the document's, it is another work. */

/** So far the title of a document stands, behind a cover page, too. UTF-16 units. */
const TITLES = 3_000;
/** So long is an entry at most, and so far before it stands what says whose it is. UTF-16 units. */
const ENTRY = 420;
const ABOVE = 300;
/** `Okafor, A. B.`, `A. B. Okafor`, `Okafor AB,`: an author as entries write one. */
const NAME = String.raw`(?:\p{Lu}[\p{L}’'\-]{1,30},?\s(?:\p{Lu}\.[ \-]?){1,3}|(?:\p{Lu}\.[ \-]?){1,3}\s?\p{Lu}[\p{L}’'\-]{1,30}|\p{Lu}\p{Ll}[\p{L}’'\-]{0,30}\s\p{Lu}{1,3}(?=[,.;]))`;
/** At the start of a line, behind its mark or a colon. */
const BEGINS = new RegExp(
  String.raw`^.{0,80}:\s(?=${NAME})|^\s*(?:\[?\w{1,3}\]?[.)]?\s+|[IVX]{1,4}\s)?(?=${NAME})`,
  'u',
);
const NAMES = new RegExp(NAME, 'gu');
const YEAR = /\b(?:19|20)\d\d[a-z]?\b/;
/** Where one part of an entry ends and the next begins. Names were replaced by `|`. */
const PARTS = /[.?!:]["”’]?\s|["“”«»|]|\(?\b(?:19|20)\d\d[a-z]?\)?[.,:]?/;
/** Volume and pages. */
const PLACED = /\d ?\(\d+\)|\d ?[-–] ?\d|[:;,]\s?e?\d+[.:]|\bpp?\. ?\d|\bvol\. ?\d/i;
/** The entry was at its end before: other lines follow. */
const ENDED = /[.)]\s*\n(?!\s*(?:doi|https?:|10\.))|@|\n\s*\n/i;
/** Authors of a title page stand above where they work. */
const AFFILIATED =
  /^(?:departa?m|department|school|institut|facult|universi|college|cent(?:re|er)\b|division|laborator|e-?mail)/i;
/** So many words make a title, and so many are looked for. */
const [LEAST, LOOKED_FOR] = [4, 6];
/** What only the document itself says of itself, or a repository of it. */
const ITSELF =
  /\b(?:cite (?:this|as)|to cite|cite it as|cited as|(?:suggested|recommended|required) citation|reference format|citation:|zitierweise|pour citer|c[oó]mo citar|come citare|citation for|repository copy|stable url|accepted version|published (?:item|version))|для цитирования|引用格式|引用本文/i;
const OF_USERS = /\b(?:if you use|when using|users? of|work that uses)\b/i;

/**
 * Whether the identifier at `start` ends an entry whose title stands nowhere else on the first pages. `after`: where the
 * identifier before ends.
 */
export function endsOtherEntry(source: string, start: number, after: number): boolean {
  const above = source.slice(Math.max(after, start - ENTRY - ABOVE), start);
  if (ITSELF.test(above) && !OF_USERS.test(above)) return false;
  const lines = above.slice(-ENTRY).split('\n');
  const first = lines.findLastIndex((line, i) => BEGINS.test(`${line} ${lines[i + 1] ?? ''}`));
  if (first < 0) return false;
  const entry = lines.slice(first).join('\n');
  const title = titleOf(entry);
  if (title === null || !YEAR.test(entry) || AFFILIATED.test(title.trim())) return false;
  const rest = entry.slice(entry.indexOf(title) + title.length);
  if (ENDED.test(rest.slice(1)) || !PLACED.test(rest)) return false;
  const wanted = wordsOf(title).slice(0, LOOKED_FOR).join('');
  const outside = [source.slice(0, Math.min(start - entry.length, TITLES)), source.slice(start, TITLES)];
  return !outside.some((text) => wordsOf(text).join('').includes(wanted));
}

/** The first part that is long enough, behind the authors. */
function titleOf(entry: string): string | null {
  const parts = entry.replace(BEGINS, '').replaceAll(NAMES, '|').split(PARTS).slice(1);
  return parts.find((part) => wordsOf(part).length >= LEAST)?.replace(/^[\s,;&]+/, '') ?? null;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
