/** Entries that name a work: authors, year, title, journal. Of another title than the document's, it is another work. */
import { LABEL, letters, TITLES, wordsOf, type Surroundings } from './surroundings.ts';

/** So long is an entry at most, and so far before it stands what says whose it is. UTF-16 units. */
const ENTRY = 420;
const ABOVE = 300;
/** `Okafor, A. B.`, `A. B. Okafor`, `Okafor AB,`: an author as entries write one. */
const NAME = String.raw`(?:\p{Lu}[\p{L}’'\-]{1,30},?\s(?:\p{Lu}\.[ \-]?){1,3}|(?:\p{Lu}\.[ \-]?){1,3}\s?\p{Lu}[\p{L}’'\-]{1,30}|\p{Lu}\p{Ll}[\p{L}’'\-]{0,30}\s\p{Lu}(?:-?\p{Lu}){0,2}(?=[,.;]))`;
/** At the start of a line, behind its mark or a colon. */
const BEGINS = new RegExp(
  String.raw`^.{0,80}(?::|\b[Ss]ee(?: also)?|\b[Cc]f\.)\s(?=${NAME})|^\s*(?:\[?\w{1,4}\]?[.)]?\s+|[IVX]{1,4}\s|[•·▪◦*–-]\s+)?(?=${NAME})`,
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
/** So far before an identifier stand year, volume and pages of its citation. UTF-16 units. */
const PLACE = 120;
/** Authors of a title page stand above where they work. */
const AFFILIATED =
  /^(?:departa?m|department|school|institut|facult|universi|college|cent(?:re|er)\b|division|laborator|e-?mail)/i;
/** What editors edited: the volume that a chapter's first page names as its own. */
const EDITED = /^[^\n]{0,160}\((?:eds?|hrsg|hg|dir|coord|org)s?\.?\)/i;
/** So many words make a title, and so many are looked for. */
const [LEAST, LOOKED_FOR] = [4, 6];
/** What only the document itself says of itself, or a repository of it. */
const ITSELF =
  /\b(?:cite (?:this|as)|to cite|cite it as|cited as|(?:suggested|recommended|required) citation|reference format|citation:|zitierweise|pour citer|c[oó]mo citar|come citare|citation for|repository copy|stable url|accepted version|published (?:item|version|in final))|для цитирования|引用格式|引用本文/i;
const OF_USERS = /\b(?:if you use|when using|users? of|work that uses)\b/i;
/** "the article by Okafor entitled “Slow rivers”, doi:". */
const QUOTED =
  /\b(?:article|paper|study|report|letter|book|entitled|titled|et al|by)\b[^"“«„]{0,80}["“«„]([^"”»“«„]{8,200})["”»][^"“«„]{0,60}$/iu;

/** The start of an entry of a list: number or key in brackets, or number with a full stop, then a name. */
const NUMBERED = /^\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}[.)]|\[\p{L}[^\]\n]{1,30}\](?=\s))\s*[\p{Lu}\p{Lo}]/u;
/** Behind its mark an entry in Latin letters has an initial, a comma or a year; a heading has none. */
const HAS_AUTHOR = /[,\p{Lo}]|\p{Lu}\.|\b\p{Lu}{1,3}\b|\b(?:1[89]|20)\d\d\b/u;
/** A footnote, or a book of a reading list: its mark, and the words of the entry on the line before it. */
const NOTE = /^\s*(?:\[[\p{L}\d]{1,3}\]|\d{1,3}|[*†‡§¹²³⁴-⁹])\s+\S/u;
const MASTHEAD = /^\s*(?:received|accepted|published|revised|vol\b|©|\(c\)|copyright)/i;
/** A footnote that names a work without its year. */
const CITES = /\bibid\b|\b(?:see|cf|vgl|siehe|voir|zie)\b|['"‘“”»«„]/i;

/**
 * Whether the identifier at `start` ends an entry, or follows a title in quotes, and of what: `own` where that title
 * stands elsewhere on the first pages, `other` where it does not. `after`: where the identifier before ends.
 */
export function entryOf(text: Surroundings, start: number, after: number): 'own' | 'other' | null {
  const above = text.source.slice(Math.max(after, start - ENTRY - ABOVE), start);
  if (ITSELF.test(above) && !OF_USERS.test(above)) return null;
  const lines = above.slice(-ENTRY).split('\n');
  const first = lines.findLastIndex((line, i) => BEGINS.test(`${line} ${lines[i + 1] ?? ''}`));
  const entry = first < 0 ? '' : lines.slice(first).join('\n');
  const title = YEAR.test(entry) && PLACED.test(entry) && !EDITED.test(entry) ? titleOf(entry) : null;
  if (title === null || AFFILIATED.test(title.trim()))
    return quotedIn(text, above, start) ?? (isByOthers(text, entry, start) ? 'other' : null);
  const rest = entry.slice(entry.indexOf(title) + title.length);
  if (ENDED.test(rest.slice(1)) || !PLACED.test(rest)) return null;
  return standsApart(text, title, start - entry.length, start) ? 'own' : 'other';
}

function quotedIn(text: Surroundings, above: string, start: number): 'other' | null {
  const quoted = QUOTED.exec(above.replace(LABEL, ''));
  const [title = ''] = quoted?.slice(1) ?? [];
  if (wordsOf(title).length < 2) return null;
  return standsApart(text, title, start - (quoted?.[0].length ?? 0), start) ? null : 'other';
}

/** A citation whose title cannot be told: none of those whom it names stands elsewhere on the first pages. */
function isByOthers({ source }: Surroundings, entry: string, start: number): boolean {
  const end = entry.replace(LABEL, '').slice(-PLACE);
  if (!YEAR.test(end) || !PLACED.test(end) || ENDED.test(entry.slice(0, -end.length))) return false;
  const lines = entry.split('\n');
  if (lines.some((line) => EDITED.test(line) || AFFILIATED.test(line.trim()))) return false;
  // Nothing but people on their line, without a mark before them: they wrote this.
  const [head = ''] = lines;
  if (wordsOf(head.replaceAll(NAMES, '')).length === 0 && /^\s*\p{L}/u.test(head)) return false;
  // `J. Clean. Prod.` is a journal.
  const people = entry.replaceAll(/\b(?:J|Proc|Ann|Trans)\. ?\p{Lu}\p{L}*/gu, '').matchAll(NAMES);
  const names = [...people].flatMap(([name]) => /\p{Lu}[\p{L}’'-]{2,}/u.exec(name) ?? []);
  const elsewhere =
    `${source.slice(0, Math.min(start - entry.length, TITLES))} ${source.slice(start, TITLES)}`.toLowerCase();
  return names.length > 0 && !names.some((name) => elsewhere.includes(name.toLowerCase()));
}

/** Whether a title stands on the first pages outside `from`..`to`. */
function standsApart({ source, titles }: Surroundings, title: string, from: number, to: number): boolean {
  const wanted = wordsOf(title).slice(0, LOOKED_FOR).join('');
  const outside =
    from >= TITLES ? [titles] : [source.slice(0, Math.max(0, from)), source.slice(to, TITLES)].map(letters);
  return outside.some((text) => text.includes(wanted));
}

/** The first part that is long enough, behind the authors. */
function titleOf(entry: string): string | null {
  const parts = entry.replace(BEGINS, '').replaceAll(NAMES, '|').split(PARTS).slice(1);
  return parts.find((part) => wordsOf(part).length >= LEAST)?.replace(/^[\s,;&]+/, '') ?? null;
}

/** Whether the line, or one of the three before it, begins as an entry of a list does. `after`: as with entryOf. */
export function isEntry(source: string, start: number, after: number): boolean {
  const lines = source
    .slice(Math.max(after, start - 500), start)
    .normalize('NFKC')
    .split('\n')
    .slice(-4);
  if (
    lines.some(
      (line, i) =>
        NUMBERED.test(line) && HAS_AUTHOR.test(line) && /\b(?:1[89]|20)\d\d\b/.test(lines.slice(i).join(' ')),
    )
  )
    return true;
  // Marks without brackets head affiliations, too: words of the entry stand before it on its own line, or run into it.
  const entry = lines.slice(lines.findLastIndex((line) => line.trim() === '') + 1);
  const from = entry.findLastIndex((line) => NOTE.test(line));
  const own = (entry.at(-1) ?? '').replace(LABEL, '');
  // What heads or foots the page stands beneath affiliations.
  if (from < 0 || MASTHEAD.test(own)) return false;
  if (from === entry.length - 1 && CITES.test(own)) return true;
  const runsInto = own.trim().length > 8 || /[,;]\s*$/.test(entry.at(-2) ?? '');
  return runsInto && /\b(?:1[89]|20)\d\d\b/.test(entry.slice(from).join(' '));
}
