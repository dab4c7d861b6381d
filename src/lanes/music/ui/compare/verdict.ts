/** What is the same between the files and an option of their question, and what speaks against it, in words. Pure. */
import type { Reason } from '#core/job/reason.ts';
import type { MusicOption, MusicReview } from '#lanes/music/core/types.ts';
import { plural } from '#ui/parts/words.ts';

/** Seconds up to which a length is the same, fits, and may be near. */
const SAME = 1;
const FITS = 3;
const NEAR = 5;
/** From this likeness on two titles say the same; below that one they are others. */
const ALIKE = 0.85;
const OTHER = 0.5;
/** Share of the lengths that fit below which an album's differ throughout. */
const THROUGHOUT = 0.25;

export interface Verdict {
  /** The strongest reason against, first. */
  against: string[];
  /** What is the same, where that is enough to say. */
  same: string | null;
}

/** What was compared of one file. */
interface Compared {
  off: number | null;
  title: number | null;
}

export function verdictOf(review: MusicReview, option: MusicOption): Verdict {
  const { album, track } = option;
  if (album) {
    const pairs = album.pairs ?? [];
    const placed = pairs.filter(({ track_id }) => track_id !== null);
    const compared = placed.map(({ off, title_similarity }) => ({ off, title: title_similarity }));
    const without = pairs.length - placed.length;
    const known = review.files.filter(({ duration_ms }) => duration_ms !== null).length;
    const fitting = Math.round(album.duration_share * known);
    return {
      against: [
        ...(known > 0 && fitting < known ? [lengthsAgainst(fitting, known)] : []),
        ...(without > 0
          ? [`${plural(without, 'file')} of ${pairs.length} find${without === 1 ? 's' : ''} no track on it`]
          : []),
        ...titlesAgainst(compared),
      ],
      same: without === 0 && pairs.length > 0 ? sameOf(compared) : null,
    };
  }
  if (track) return ofTrack(track, option.reasons);
  if (option.id !== 'accept') return { against: [], same: null };
  const proposed = review.files.flatMap((file) => (file.proposed ? [file.proposed] : []));
  const compared = proposed.map(({ pair }) => ({ off: pair?.off ?? null, title: pair?.title_similarity ?? null }));
  const timed = compared.flatMap(({ off }) => (off === null ? [] : [Math.abs(off)]));
  const fitting = timed.filter((off) => off <= FITS).length;
  const said = proposed.flatMap(({ pair, reasons }) => versionsAgainst(pair, reasons));
  return {
    against: [
      ...(timed.length > 0 && fitting < timed.length ? [lengthsAgainst(fitting, timed.length)] : []),
      ...new Set(said),
      ...titlesAgainst(compared),
    ],
    same: sameOf(compared),
  };
}

function ofTrack(track: NonNullable<MusicOption['track']>, reasons: readonly Reason[]): Verdict {
  const { pair } = track;
  const off = pair?.off ?? null;
  const title = pair?.title_similarity ?? null;
  return {
    against: [
      ...(off !== null && Math.abs(off) > FITS ? [`your file is ${secondsApart(off)}`] : []),
      ...versionsAgainst(pair, reasons),
      ...(pair?.artist_conflict === true ? ['your file names another artist'] : []),
      ...(title !== null && title < OTHER ? ['another title'] : []),
    ],
    same: off !== null && Math.abs(off) <= SAME && (title ?? 0) >= ALIKE ? 'same title, same length' : null,
  };
}

const lengthsAgainst = (fitting: number, known: number): string =>
  known === 1
    ? 'its length does not fit'
    : fitting === 0
      ? `none of ${known} lengths fits`
      : `only ${fitting} of ${known} lengths fit`;

function titlesAgainst(compared: readonly Compared[]): string[] {
  const named = compared.flatMap(({ title }) => title ?? []);
  const other = named.filter((title) => title < OTHER).length;
  return other === 0 ? [] : [`${other === named.length ? 'all' : `${other} of ${named.length}`} titles are others`];
}

function versionsAgainst(pair: NonNullable<MusicOption['track']>['pair'], reasons: readonly Reason[]): string[] {
  if (pair === undefined) return reasons.flatMap(({ kind, label }) => (kind === 'version' ? [label] : []));
  return [
    ...pair.version_extra.map((word) => `your file says ${word}, the catalog does not`),
    ...pair.version_missing.map((word) => `the catalog says ${word}, your file does not`),
  ];
}

/** Same recordings: all lengths within a second, and no title that is another. */
function sameOf(compared: readonly Compared[]): string | null {
  const offs = compared.flatMap(({ off }) => (off === null ? [] : [Math.abs(off)]));
  if (offs.length === 0 || offs.length < compared.length || offs.some((off) => off > SAME)) return null;
  const titles = compared.flatMap(({ title }) => title ?? []);
  if (titles.some((title) => title < ALIKE)) return null;
  return titles.length === compared.length
    ? 'Same recordings: all lengths within 1 s, all titles'
    : 'All lengths within 1 s';
}

/** UI-223: nothing that Enter takes: of several files hardly a length fits, or the one file's is off by far. */
export function differsThroughout(review: MusicReview, option: MusicOption): boolean {
  const { album, track } = option;
  if (track) return Math.abs(track.pair?.off ?? 0) > NEAR;
  if (album) return review.files.some(({ duration_ms }) => duration_ms !== null) && album.duration_share < THROUGHOUT;
  const offs = review.files.flatMap(({ proposed }) =>
    proposed?.pair?.off == null ? [] : [Math.abs(proposed.pair.off)],
  );
  return (
    option.id === 'accept' && offs.length > 0 && offs.filter((off) => off <= NEAR).length < offs.length * THROUGHOUT
  );
}

function secondsApart(off: number): string {
  const size = Math.abs(off);
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} s ${off > 0 ? 'longer' : 'shorter'}`;
}

/** A reason in a person's words, where its numbers are known; what is not known here keeps its own. */
export function reasonInWords({ kind, label, value, ...rest }: Reason): Reason {
  const words = value === undefined ? label : wordsOf(kind, label, value);
  return { kind, ...rest, ...(value === undefined ? {} : { value }), label: words };
}

function wordsOf(kind: string, label: string, value: number): string {
  const share = `${Math.round(value * 100)} %`;
  switch (kind) {
    case 'title':
      if (label.startsWith('titles'))
        return value >= ALIKE ? 'same titles' : value >= OTHER ? 'titles alike' : 'some titles differ';
      return value >= 0.995
        ? 'same title'
        : value >= ALIKE
          ? 'nearly the same title'
          : value >= OTHER
            ? 'similar title'
            : 'another title';
    case 'artist':
      return value >= ALIKE ? 'same artist' : value >= 0.65 ? 'similar artist' : 'another artist';
    case 'duration':
      if (label.startsWith('lengths within')) return label;
      if (label.startsWith('lengths')) return value >= 1 ? 'all lengths fit' : `${share} of the lengths fit`;
      return Math.abs(value) < 0.5 ? 'same length' : secondsApart(value);
    case 'position':
      return label.includes(' = ')
        ? 'same track number'
        : label.replace(/^track (\d+), here (\d+)$/, 'number $1, here $2');
    case 'coverage': {
      const [, have, all] = /^tracks (\d+)\/(\d+)$/.exec(label) ?? [];
      return have === undefined ? label : have === all ? `all ${all} tracks` : `${have} of ${all} tracks`;
    }
    case 'files': {
      const [, have, all] = /^files (\d+)\/(\d+)$/.exec(label) ?? [];
      return have === undefined ? label : `${have} of ${all} files`;
    }
    case 'album':
      return value >= ALIKE ? 'same album name' : 'similar album name';
    default:
      return label;
  }
}
