import type { FileEvidence } from '../evidence/evidence.ts';
import {
  innerNumbers,
  positionsOf,
  readNumbers,
  tidy,
  titlesOf,
  type ParsedName,
  type PositionReading,
  isGenericFolder,
  isGenericTitle,
} from './names.ts';
import { repairText } from './repair.ts';
import { textKey, type TextKey, editSimilarity, stripBrackets } from '#core/text/similarity.ts';
import { remixersIn, versionsOf } from './versions.ts';
import { compactKey, foldText, leetKey } from '#core/text/fold.ts';

/** What most names of a batch begin or end with is artist, album or noise; the rest is title. */
interface Affix {
  /** The name without what is common. */
  rest: string;
  /** What is common, as it is in this name. */
  common: string;
}

const MOST = 0.7;

/**
 * Splits names of a batch (three or more) into common and own words. Words are compared with damage allowed, because
 * `Poldor`, `Pldor` and `Poldoor` are one artist.
 */
function commonAffixes(bases: readonly string[]): (Affix | null)[] {
  if (bases.length < 3) return bases.map(() => null);
  const words = bases.map((base) =>
    tidy(base.replace(/-/g, ' - '))
      .split(' ')
      .filter((word) => /[\p{L}\p{N}]/u.test(word)),
  );
  const keys = words.map((list) => list.map((word) => leetKey(compactKey(foldText(word)))));
  const front = commonRun(words, keys, (list, i) => list[i], 0);
  const back = commonRun(words, keys, (list, i) => list[list.length - 1 - i], front);
  if (front === 0 && back === 0) return bases.map(() => null);
  return words.map((list) => {
    const from = Math.min(front, Math.max(0, list.length - 1));
    const to = Math.max(from, list.length - back);
    let own = list.slice(from, to);
    // A number that heads the own words is the track number.
    if (own.length > 1 && /^\d{1,3}$/.test(own[0] ?? '')) own = own.slice(1);
    const common = [...list.slice(0, from), ...list.slice(to)].filter((word) => !/^\d{1,3}$/.test(word));
    return { rest: own.join(' '), common: common.join(' ') };
  });
}

/** How many words from one end are common to most names; a column of counting numbers is passed over. */
function commonRun(
  words: string[][],
  keys: string[][],
  at: (list: string[], i: number) => string | undefined,
  taken: number,
): number {
  let run = 0;
  for (let i = 0; i < 12; i++) {
    const column = keys.map((list) => (list.length - taken > i + 1 ? at(list, i) : undefined));
    const numbers = words.filter((list) => /^[A-Da-d]?\d{1,3}$/.test(at(list, i) ?? '')).length;
    if (numbers >= words.length * MOST) continue;
    const present = column.filter((key) => key !== undefined && key !== '');
    if (present.length < words.length * MOST) break;
    const modal = mode(present as string[]);
    const agreeing = present.filter(
      (key) => key === modal || (modal.length >= 4 && editSimilarity(key as string, modal) >= 0.6),
    ).length;
    if (agreeing < words.length * MOST) break;
    run = i + 1;
  }
  return run;
}

function mode(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

/** A title reading with its source, for reasons and for vetoes. */
export interface TitleReading {
  key: TextKey;
  text: string;
  source: 'tag' | 'name';
}

/** Everything one file says, read together with the files beside it. */
export interface FileReading {
  evidence: FileEvidence;
  name: ParsedName;
  titles: TitleReading[];
  /** From the tag first, then parts of the name that may be the artist. */
  artists: { key: TextKey; source: 'tag' | 'name' | 'folder'; /** One of several that the tag names. */ part?: true }[];
  /** Texts that may name the album. */
  albums: { key: TextKey; text: string; source: 'tag' | 'folder' | 'name' }[];
  positions: PositionReading[];
  /** Title as a person would be shown it. */
  shownTitle: string | null;
  tagArtist: string | null;
  tagAlbum: string | null;
  /** MATCH-91: the name or tag `Untitled` where no other file of the batch has it; it is a title where a track is called so. */
  untitled: TextKey | null;
  /** Name in one piece, to find an artist or an album anywhere in it. */
  whole: TextKey;
  /** Version classes that the name says. */
  nameVersions: readonly string[];
  /** Version classes that the title tag says. */
  tagVersions: readonly string[];
  /** MATCH-105: words of the names of those whose remix the title says it is. */
  remixers: readonly string[];
}

/** `Untitled`, `03 - Untitled`. */
const UNTITLED = /^(?:\d{1,3}[\s_.-]+)?untitled$/i;

const PLACEHOLDER =
  /^(?:unknown(?: artist| album| title)?|untitled|no (?:artist|title|album)|n\/?a|none|null|track ?\d*|various(?: artists?)?|va|\?+|-+|<unknown>)$/i;

/** Tag text when it is evidence: repaired, not a placeholder. */
function tagText(raw: string | undefined): string | null {
  if (raw === undefined) return null;
  const text = repairText(raw);
  return text === '' || PLACEHOLDER.test(text) || text.length > 250 ? null : text;
}

/** Reads files that lie together (one folder or drop) as one batch. */
export function readUnit(files: readonly { evidence: FileEvidence; name: ParsedName }[]): FileReading[] {
  const names = files.map((file) => file.name);
  const affixes = commonAffixes(names.map((name) => name.base));
  const inner = innerColumn(names);
  const readings = files.map((file, i) => readFile(file.evidence, file.name, affixes[i] ?? null, inner[i] ?? null));
  const untitled = readings.filter((reading) => reading.untitled !== null).length;
  return withoutCommonTitles(untitled > 1 ? readings.map((reading) => ({ ...reading, untitled: null })) : readings);
}

function readFile(
  evidence: FileEvidence,
  name: ParsedName,
  affix: { rest: string; common: string } | null,
  inner: { value: number; rest: string } | null,
): FileReading {
  const tags = evidence.tags;
  const titles: TitleReading[] = [];
  const add = (text: string, source: 'tag' | 'name'): void => {
    const key = textKey(text);
    if (key.compact === '' || titles.some((reading) => reading.key.compact === key.compact)) return;
    titles.push({ key, text, source });
    const alone = withoutGuests(text);
    if (alone !== '' && alone !== text) add(alone, source);
  };
  const tagTitle = tagText(tags.title);
  if (tagTitle !== null && !isGenericTitle(tagTitle)) add(tagTitle, 'tag');
  // A column that counts through the batch is the track number; what is behind it is the likeliest title.
  if (inner && !name.generic) for (const title of titlesOf(inner.rest, inner.rest)) add(title, 'name');
  if (affix && affix.rest !== '' && !isGenericTitle(affix.rest))
    for (const title of titlesOf(affix.rest, affix.rest)) add(title, 'name');
  for (const title of name.titles) add(title, 'name');
  // MATCH-93: the catalog may be broken in the same way.
  if (tagTitle !== null && tagTitle !== tags.title) add(tags.title ?? '', 'tag');
  if (name.unrepaired !== null) add(readNumbers(name.unrepaired).rest, 'name');

  const tagArtist = tagText(tags.artist);
  const tagAlbum = tagText(tags.album);
  const artists: FileReading['artists'] = [];
  for (const raw of [tags.artist, tags.albumartist]) {
    const text = tagText(raw);
    for (const [at, name] of (text === null ? [] : namesIn(text)).entries())
      artists.push({ key: textKey(name), source: sourceOf(raw), ...(at > 0 ? { part: true } : {}) });
  }
  for (const part of name.segments) artists.push({ key: textKey(part), source: 'name' });
  const albums: FileReading['albums'] = [];
  if (tagAlbum !== null) albums.push({ key: textKey(tagAlbum), text: tagAlbum, source: sourceOf(tags.album) });
  for (const text of folderTexts(name.folders)) {
    albums.push({ key: textKey(text), text, source: 'folder' });
    artists.push({ key: textKey(text), source: 'folder' });
  }
  if (affix && affix.common !== '' && !isGenericTitle(affix.common))
    albums.push({ key: textKey(affix.common), text: affix.common, source: 'name' });
  for (const part of name.segments) albums.push({ key: textKey(part), text: part, source: 'name' });

  const positions: PositionReading[] = [];
  const addPosition = (reading: PositionReading): void => {
    if (
      !positions.some(
        (old) => old.disc === reading.disc && old.position === reading.position && old.side === reading.side,
      )
    )
      positions.push(reading);
  };
  if (tags.track !== undefined && tags.track > 0) addPosition({ disc: tags.disc ?? name.disc, position: tags.track });
  if (inner)
    for (const reading of positionsOf(inner.value)) addPosition({ ...reading, disc: reading.disc ?? name.disc });
  for (const reading of name.positions) addPosition(reading);
  const shown = titles[0]?.text ?? null;
  const whole = textKey(tidy(name.base));
  return {
    evidence,
    name,
    titles: titles.slice(0, 9),
    artists,
    albums,
    positions,
    shownTitle: shown,
    tagArtist,
    tagAlbum,
    untitled: [tags.title ?? '', name.base].some((text) => UNTITLED.test(text)) ? textKey('untitled') : null,
    whole,
    nameVersions: versionsOf(tidy(name.base), whole.folded),
    tagVersions: tagTitle === null ? [] : versionsOf(tagTitle),
    remixers: remixersIn(tagTitle ?? name.base.replace(/_/g, ' ')),
  };
}

/** MATCH-83: a tag that lost letters on its way still may be like something, but says of nothing that it is another. */
const sourceOf = (raw: string | undefined): 'tag' | 'name' => (raw?.includes('\ufffd') ? 'name' : 'tag');

/** What joins two artists in a tag. */
const JOINED = /\s*[,;/+|]\s*|\s+(?:&|and|y|und|et|e|x|vs\.?|with|pres\.?|presents|meets)\s+/i;
const GUESTS = /\s*[([]?\b(?:feat|ft|featuring)\b\.?\s*/i;

/** MATCH-95: a title without its guests, but with what else is in brackets: `A Song (Dub) feat. Somebody`. */
function withoutGuests(title: string): string {
  return title
    .replace(/\s*[([]\s*(?:feat|ft|featuring)\b[^)\]]*[)\]]/gi, '')
    .replace(/\s(?:feat|ft|featuring)\b\.?\s[^([]*$/i, '')
    .trim();
}

/** An artist tag as it is, and each of several artists that it names. */
function namesIn(text: string): string[] {
  const names = [text, ...text.split(GUESTS), ...text.split(JOINED), stripBrackets(text)];
  return [...new Set(names.map((name) => name.replace(/[)\]]+$/, '').trim()))]
    .filter((name) => name !== '')
    .slice(0, 6);
}

/** What most files of a batch could be called is not the title of any: it is the artist, the album or noise. */
function withoutCommonTitles(readings: FileReading[]): FileReading[] {
  if (readings.length < 4) return readings;
  const counts = new Map<string, number>();
  for (const reading of readings) {
    const own = new Set(reading.titles.map(({ key }) => withoutNumber(key)));
    for (const title of own) counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return readings.map((reading) => {
    const own = reading.titles.filter((title) => (counts.get(withoutNumber(title.key)) ?? 0) < readings.length * 0.5);
    if (own.length > 0) return { ...reading, titles: own };
    // MATCH-68: a name that all share, numbers apart, is none; a tag may say of all that they are one song.
    return { ...reading, titles: reading.titles.filter((title) => title.source === 'tag') };
  });
}

/** A number before a name counts tracks. */
const withoutNumber = ({ compact }: TextKey): string => compact.replace(/^\d+(?=\D)/, '');

/** Album and artist texts in folder names: the folder, its parts, without years and brackets. */
function folderTexts(folders: readonly string[]): string[] {
  const texts: string[] = [];
  const add = (text: string): void => {
    const clean = tidy(text);
    if (clean !== '' && !/^\d{4}$/.test(clean) && !isGenericFolder(clean) && !texts.includes(clean)) texts.push(clean);
  };
  for (const folder of folders.slice(-2).reverse()) {
    add(folder);
    const bare = folder.replace(/[[(]\s*(?:19|20)\d\d\s*[\])]/g, ' ').trim();
    add(bare);
    let parts = bare.split(/\s+[-–—]\s+/);
    // `Artist-Album_Name-2009-GROUP`, the form of old release names.
    if (parts.length === 1 && /-(?:19|20)\d\d(?:-|$)/.test(bare))
      parts = bare.replace(/-(?:19|20)\d\d.*$/, '').split('-');
    for (const part of parts) add(part);
    if (parts.length > 2) add(parts.slice(1).join(' - '));
  }
  return texts.slice(0, 8);
}

/** The inner number of each name that counts through the batch, when most names have one at the same place. */
function innerColumn(names: readonly ParsedName[]): ({ value: number; rest: string } | null)[] {
  const nothing = names.map(() => null);
  const numbered = names.filter((name) => name.positions.length > 0).length;
  const found = names.map((name) => innerNumbers(name.base));
  if (names.length < 2) {
    const only = names[0];
    return only && only.positions.length === 0 ? [found[0]?.at(-1) ?? null] : nothing;
  }
  if (numbered >= names.length * 0.7 && distinctLeading(names)) return nothing;
  let best = nothing as ({ value: number; rest: string } | null)[];
  let most = 0;
  for (let column = 0; column < 4; column++) {
    const values = found.map((entries) => entries[column] ?? null);
    const present = values.filter((entry) => entry !== null);
    const distinct = new Set(present.map((entry) => entry.value)).size;
    if (present.length < names.length * 0.6 || distinct < present.length * 0.6) continue;
    if (distinct > most) {
      most = distinct;
      best = values;
    }
  }
  return best;
}

/** Leading numbers that all differ (or nearly) count tracks; one that stays the same does not. */
function distinctLeading(names: readonly ParsedName[]): boolean {
  const leading = names.flatMap((name) =>
    name.positions[0] ? [`${name.positions[0].disc}/${name.positions[0].side}/${name.positions[0].position}`] : [],
  );
  return new Set(leading).size > leading.length * 0.4;
}

/** The text most files of a unit agree on (tags first, then folder), for what is shown as detected. */
export function majority(texts: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  let best: string | null = null;
  for (const [text, count] of [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    if (best === null || count > (counts.get(best) ?? 0)) best = text;
  }
  return best;
}
