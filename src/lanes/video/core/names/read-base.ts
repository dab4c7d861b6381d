/** Reads one name alone: the claims that hold together, the titles between them, and how sure that is. */
import { NOTHING_READ, type NameReading } from '../name-reading.ts';
import { choose, type Chosen, type NameContext } from './choose.ts';
import { extraOfName, type ExtraMark } from './extras.ts';
import { findNoise, maskOf } from './noise.ts';
import type { NormalText } from './normal-text.ts';
import { episodeTitleOf, titleOf } from './place-titles.ts';
import { findDates, findYear } from './rules/dates.ts';
import { findParts } from './rules/parts.ts';
import { titleStart } from './title.ts';

export interface BaseReading {
  reading: NameReading;
  /** 0..1: of season, episode and date alone; 0 where nothing was said of them. */
  certainty: number;
  /** Whether it carries technical words, as a release does. */
  technical: boolean;
}

const SPECIAL = /(?<![\p{L}\p{N}])(OVA|OAD|ONA|OAV|SP(?=\d|[ ._]?\d{1,2}(?!\p{N}))|Specials?)(?!\p{L})/iu;
const CHECKSUM = /^[0-9a-f]{16,}$/;
const ONE_WORD = /^[A-Za-z0-9]{12,}$/;
/** Where a small letter, a capital or a digit follows another kind. */
const SWITCH = /(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z]{2})[a-z]/g;
const MOST_SWITCHES = 5;
/** What cameras and disc rippers call their files. */
const DEVICE =
  /^(?:(?:IMG|DSC[FN]?|MVI|MOV|VID|PXL|GOPR|G[XHP]|DJI|CIMG|P)[_-]?\d{4,}.*|VTS_\d\d_\d|VIDEO_TS|title_?t?\d{2,3}|\d{5}\.?m?2?t?s?)$/i;
const GROUP = /^\s*(?:\d+\s)?[[(][^\])]*\p{L}/u;
/** From here on a claim is no guess: it makes an extra's mark a word of the title. */
const SURE = 0.8;

export function readBase(name: NormalText, context: NameContext): BaseReading {
  const { text } = name;
  const plain = text.trim();
  if (isScrambled(plain)) return nothing('The name is scrambled: it says nothing.');
  if (DEVICE.test(plain)) return nothing('A camera or a disc gave the name: it says nothing.');
  const noise = findNoise(text);
  const from = titleStart(text, noise);
  const fanRelease = GROUP.test(text) || noise.some(({ kind }) => kind === 'checksum');
  const mask = maskOf(noise, text.length);
  const chosen = choose(name, { mask, dates: findDates(text), from, fanRelease, context });
  const { claims, date } = chosen;
  const extra = extraOfName(plain);
  const marks = [...claims, ...(date === null ? [] : [date])].sort((a, b) => a.start - b.start);
  const until = marks.find(({ start }) => start >= from)?.start ?? text.length;
  const year = findYear(text, noise, from, until);
  const parts = findParts(text);
  const place = extra?.start ?? null;
  const title = titleOf(name, { noise, from, marks, year, extra: place, parts, fanRelease, alone: context.alone });

  const certainty = Math.max(0, ...claims.map(({ strength }) => strength));
  const season = claims.find((claim) => claim.season.length > 0)?.season ?? [];
  const isExtra = extra !== null && outranks(extra, chosen);
  const special = isExtra ? extra.kind : (SPECIAL.exec(text)?.[1] ?? null);
  const reasons = marks.map(({ reason }) => reason);
  if (isExtra) reasons.push(`"${extra.written}" marks bonus material.`);
  const reading: NameReading = {
    type: isExtra
      ? 'extra'
      : typeOf(chosen, { named: title !== null || year !== null, special: special !== null && fanRelease }),
    title,
    season: season.length > 1 ? season : (season[0] ?? null),
    episodes: isExtra ? [] : sorted(claims.flatMap(({ episodes }) => episodes)),
    absolute: isExtra ? [] : sorted(claims.flatMap(({ absolute }) => absolute)),
    year: year?.year ?? (season.length === 1 && (season[0] ?? 0) > 1900 ? (season[0] ?? null) : null),
    date: date?.date ?? null,
    dates: date?.others ?? [],
    part: parts.find(({ kind }) => kind === 'part')?.part ?? null,
    episode_title:
      marks.length === 0 || isExtra ? null : episodeTitleOf(name, noise, Math.max(...marks.map(({ end }) => end))),
    version: claims.find(({ version }) => version !== null)?.version ?? null,
    special,
    confidence: 0,
    reasons,
  };
  reading.confidence = confidenceOf(reading, Math.max(certainty, date?.strength ?? 0));
  if (reasons.length === 0 && reading.type === 'movie')
    reasons.push(year === null ? 'No number of an episode is in it.' : `A year (${year.year}) and no episode: a film.`);
  const technical = noise.some(({ hard, kind }) => hard && kind !== 'version');
  return { reading, certainty: Math.max(certainty, date?.strength ?? 0), technical };
}

/** Whether an extra's mark counts beside what the rules claim. */
function outranks({ rank, start }: ExtraMark, { claims }: Chosen): boolean {
  if (rank === 'sure') return true;
  const numbered = claims.filter(({ episodes, absolute }) => episodes.length + absolute.length > 0);
  return numbered.every((claim) => claim.strength < SURE && (rank === 'mark' || claim.start >= start));
}

function typeOf(
  { claims, date }: Chosen,
  { named, special }: { named: boolean; special: boolean },
): NameReading['type'] {
  if (claims.length > 0 || date !== null) return 'episode';
  if (!named) return 'unknown';
  return special ? 'episode' : 'movie';
}

function confidenceOf({ type, year, episodes, absolute, season, date }: NameReading, certainty: number): number {
  if (type === 'extra') return SURE;
  if (type === 'unknown') return 0.1;
  if (type === 'movie') return year === null ? 0.4 : SURE;
  const numbered = episodes.length + absolute.length > 0 || date !== null || season !== null;
  return numbered ? certainty : 0.3;
}

/** A checksum, or random letters and digits, instead of a name. */
function isScrambled(name: string): boolean {
  return CHECKSUM.test(name) || (ONE_WORD.test(name) && (name.match(SWITCH)?.length ?? 0) > MOST_SWITCHES);
}

const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

function nothing(reason: string): BaseReading {
  return { reading: { ...NOTHING_READ, reasons: [reason] }, certainty: 0, technical: false };
}
