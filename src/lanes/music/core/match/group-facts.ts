/** What holds for a group of files as a whole beside the albums it was compared with. */
import { isTitled, pairsOf, type AlbumFit } from './album-fit.ts';
import { isSoldAgain } from './album-evidence.ts';
import type { FileReading } from '../names/reading.ts';
import { editionBase } from '../names/versions.ts';
import { textKey, textSimilarity, type TextKey } from '#core/text/similarity.ts';

/** What is known of the group as a whole. */
export interface GroupFacts {
  files: number;
  matched: number;
  /** Total of the best album less that of the next one that is not its twin for these files, per group. */
  albumMargin: number;
  /** Another album has each of these files as well, as far as names, number and length can tell. */
  rivalled: boolean;
  /** Median |seconds| over pairs with a title that agrees; null when fewer than two can be compared. */
  medianOff: number | null;
  /** Pairs whose length is within 3 s, among those with both lengths. */
  near: number;
  timed: number;
  meanTotal: number;
  /** Share of the whole folder or drop that this album explains. */
  unitShare: number;
  /** Share of assigned files with a readable title whose title agrees; 1 when none has one. */
  titlesAgree: number;
  /** Share of assigned numbered files whose number agrees; 1 when none has one. */
  positionsAgree: number;
  /** Share of the files that name another artist whose tags name their tracks: what a whole album of covers looks like. */
  covered: number;
  /** Share of the assigned files with an artist tag that name another artist there; 0 where none has one. */
  foreign: number;
  /** Editions with the same recordings that the files and the album name differently, and that have to be asked about. */
  soldAgain: readonly string[];
}

/**
 * Tags that name this track and another artist are another artist's recording of it. Tags that name another track are
 * somebody's mistake, and names in Chinese characters are read in several ways: neither says so.
 */
export function isCovered(file: FileReading, fit: AlbumFit, column: number): boolean {
  const track = fit.album.tracks[column];
  if (!track || tagLikeness(file, track.title) < 0.75) return false;
  if (namesWhomItPlays(file, fit, column)) return true;
  const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
  return isHan(track.track.artist) === isHan(file.tagArtist ?? '');
}

/** MATCH-98: the album tag has the artist's name (`Plays X`, `The Music of X`) and is not the album's title: a tribute in any script. */
function namesWhomItPlays(file: FileReading, { album }: AlbumFit, column: number): boolean {
  const tag = file.albums.find(({ source }) => source === 'tag')?.key.compact;
  const artists = [album.artist, ...(album.tracks[column] ? [album.tracks[column].artist] : [])];
  return (
    tag !== undefined &&
    !album.title.compact.includes(tag) &&
    artists.some(
      ({ compact }) => compact.length >= LEAST_NAME && tag.includes(compact) && !album.title.compact.includes(compact),
    )
  );
}

/** Letters (in Latin writing) of a name that are in other texts by no accident. */
const LEAST_NAME = 4;

/** 0..1; a tag that is a number or `Untitled` is otherwise no title, and says all the same that it is the track of that title. */
function tagLikeness(file: FileReading, title: TextKey): number {
  const read = file.titles.find(({ source }) => source === 'tag');
  if (read) return textSimilarity(read.key, title);
  const tag = file.evidence.tags.title;
  return tag !== undefined && textKey(tag).compact === title.compact ? 1 : 0;
}

export function groupFacts(
  files: readonly FileReading[],
  fits: readonly AlbumFit[],
  unitFiles: number,
  sameEditions = false,
): GroupFacts {
  const best = fits[0];
  const pairs = best ? pairsOf(best) : [];
  const offs = pairs.flatMap((pair) => (pair.off !== null ? [Math.abs(pair.off)] : [])).sort((a, b) => a - b);
  const titled = pairs
    .flatMap((pair) => (pair.off !== null && (pair.similarity ?? 0) >= 0.75 ? [Math.abs(pair.off)] : []))
    .sort((a, b) => a - b);
  const named = pairs.filter((pair) => pair.similarity !== null);
  const numbered = pairs.filter((pair) => pair.positionAgrees !== null);
  const other = best
    ? files.flatMap((file, row) => {
        const column = best.given[row] ?? -1;
        return best.pairs[row]?.[column]?.artistConflict === true ? [isCovered(file, best, column)] : [];
      })
    : [];
  const tagged = files.filter((file, row) => (best?.given[row] ?? -1) >= 0 && file.tagArtist !== null).length;
  return {
    files: files.length,
    foreign: tagged === 0 ? 0 : other.length / tagged,
    soldAgain: best ? editionsInDoubt(best, fits, offs, sameEditions) : [],
    covered: other.length === 0 ? 0 : other.filter((covered) => covered).length / other.length,
    titlesAgree: named.length === 0 ? 1 : named.filter(isTitled).length / named.length,
    positionsAgree:
      numbered.length === 0 ? 1 : numbered.filter((pair) => pair.positionAgrees === true).length / numbered.length,
    matched: pairs.length,
    unitShare: pairs.length / Math.max(1, unitFiles),
    albumMargin: best ? best.total - (fits[1]?.total ?? 0) : 0,
    rivalled: best !== undefined && fits.slice(1).some((other) => isAsGood(best, other)),
    medianOff: medianOff(titled),
    near: offs.filter((off) => off <= 3).length,
    timed: offs.length,
    meanTotal: pairs.length === 0 ? 0 : pairs.reduce((sum, pair) => sum + pair.total, 0) / pairs.length,
  };
}

/** Seconds by which a length that is written down (rounded, with or without silence at its ends) may be off. */
const WRITTEN_OFF = 1.5;
/** Files of which no pattern of lengths can be made. */
const FEW_FILES = 2;

/**
 * MATCH-111: the same song is on both albums, and the lengths of the two recordings differ by no more than a written
 * length may be off: only the album's name, an artist or a number could tell them apart, and none does.
 */
function isAsGood(best: AlbumFit, other: AlbumFit): boolean {
  if (best.matched > FEW_FILES || other.matched < best.matched) return false;
  const named = best.albumSimilarity ?? 0;
  if (named >= LIKE_A_NAME && named > (other.albumSimilarity ?? 0) + CLEARLY) return false;
  return best.given.every((column, row) => {
    const own = column >= 0 ? best.pairs[row]?.[column] : undefined;
    if (!own) return true;
    const its = other.pairs[row]?.[other.given[row] ?? -1];
    if (!its || its.artistConflict || its.off === null || Math.abs(its.off) > WRITTEN_OFF) return false;
    if (own.positionAgrees === true && its.positionAgrees !== true) return false;
    return (
      (its.similarity ?? 0) >= (own.similarity ?? 0) - CLEARLY &&
      (own.artistSimilarity ?? 0) <= (its.artistSimilarity ?? 0) + CLEARLY
    );
  });
}

/** Less alike than that (0..1) is chance. */
const LIKE_A_NAME = 0.7;
/** So much more alike (0..1) is one that the name means. */
const CLEARLY = 0.1;

/** Seconds by which the lengths of the very recordings differ at most, in the middle. */
const SAME_LENGTHS = 0.75;

/**
 * MATCH-65: words like `Remastered` or `Deluxe` that files and album do not share speak where the catalog has another
 * edition to choose; else where the lengths leave room for one, unless the person said that editions are the same
 * (MATCH-114).
 */
function editionsInDoubt(best: AlbumFit, fits: readonly AlbumFit[], offs: readonly number[], same: boolean): string[] {
  const differing = best.editionConflict.filter(isSoldAgain);
  if (differing.length === 0) return [];
  const base = editionBase(best.album.album.title);
  const siblings = fits.some(
    (fit) => fit !== best && fit.matched * 2 >= best.matched && editionBase(fit.album.album.title) === base,
  );
  const middle = offs[Math.floor(offs.length / 2)] ?? Infinity;
  return siblings || (!same && middle > SAME_LENGTHS) ? differing : [];
}

/** @param offs of pairs whose titles agree, seconds, the smallest first. MATCH-64: of two, one alone says nothing of the other. */
function medianOff(offs: readonly number[]): number | null {
  return offs.length < 2 ? null : (offs[offs.length === 2 ? 0 : Math.floor(offs.length / 2)] ?? null);
}
