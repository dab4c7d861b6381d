import { isPatterned, isTitled, pairsOf, type AlbumFit } from './album-fit.ts';
import type { FileReading } from '../names/reading.ts';
import { predict, type CalibrationProfile } from '../calibration/profile.ts';
import { type PairScore, SAME_TITLE } from './score.ts';
import { textSimilarity } from '#core/text/similarity.ts';
import { SAME_ARTIST } from './artists.ts';
import { isSoldAgain, otherMusicSaid } from './album-evidence.ts';
import { editionBase } from '../names/versions.ts';

/** What is known of the group as a whole. */
export interface GroupFacts {
  files: number;
  matched: number;
  /** Total of the best album less that of the next one that is not its twin for these files, per group. */
  albumMargin: number;
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

/** What forces a person to look, whatever the score. */
export interface Veto {
  kind:
    | 'length'
    | 'recording'
    | 'untimed'
    | 'artist'
    | 'version'
    | 'twin'
    | 'title'
    | 'lengths_alone'
    | 'edition'
    | 'other_album'
    | 'stray'
    | 'rival'
    | 'alone';
  /** For the chip: `length off by 8 s`. */
  label: string;
}

/** Seconds by which a length may be off without an explanation. */
const LENGTH_TOLERANCE = 3;

/** MATCH-9: the vetoes that strike one assigned pair. */
function vetoesOf(file: FileReading, fit: AlbumFit, row: number, column: number, facts: GroupFacts): Veto[] {
  const pair = fit.pairs[row]?.[column];
  if (!pair) return [];
  const vetoes: Veto[] = [];
  const strike = (kind: Veto['kind'], label: string): void => {
    vetoes.push({ kind, label });
  };
  const title = pair.similarity ?? 0;
  const off = pair.off === null ? null : Math.abs(pair.off);
  const length = (file.evidence.duration_ms ?? 0) / 1000;
  // A speed factor is known to a few tenths of a per cent only.
  const tolerance = fit.speed === 1 ? LENGTH_TOLERANCE : LENGTH_TOLERANCE + length * 0.004;
  // Many lengths that fit, under names that do not contradict, outweigh a single odd tag.
  const groupStrong = facts.near >= 4 && facts.near >= facts.timed * 0.8 && facts.titlesAgree >= 0.7;

  // A file without a length in an album whose names and numbers agree throughout needs less of a name.
  const orderly = facts.matched >= 5 && facts.titlesAgree >= 0.8 && facts.positionsAgree >= 0.9;

  if (off !== null && off > tolerance) strike('length', `length off by ${off.toFixed(0)} s`);
  if (facts.medianOff !== null && facts.medianOff > 3.5)
    strike('recording', 'lengths differ throughout: another recording');
  if (off === null && (facts.matched < 3 || title < (pair.positionAgrees && orderly ? FAINT_TITLE : 0.7)))
    strike('untimed', 'no length to compare');
  if (pair.artistConflict && isPlayedByOthers(file, fit, row, column, facts, groupStrong))
    strike('artist', 'another artist');
  if (pair.versionExtra.length > 0) strike('version', `says ${pair.versionExtra.join(', ')}`);
  // A name that is damaged may have lost the word.
  const isLost = (title >= 0.9 && (off ?? 9) <= 2) || (title >= 0.7 && (off ?? 9) <= 1);
  if (pair.versionMissing.length > 0 && !isLost) strike('version', `is ${pair.versionMissing.join(', ')}`);
  if (facts.albumMargin < 0.6) strike('twin', 'another album fits as well');
  if (pair.similarity !== null && title < 0.45 && !((groupStrong || isPatterned(fit)) && pair.positionAgrees === true))
    strike('title', 'title differs');
  const leastNear = fit.coverage === 1 ? 3 : 4;
  if (
    pair.similarity === null &&
    (pair.positionAgrees !== true || facts.positionsAgree < 0.7 || facts.near < leastNear)
  ) {
    strike('lengths_alone', 'nothing but lengths');
  }
  // The instrumentals have nearly the same lengths: only words tell them apart. A live album does not.
  const other = new Set([
    ...fit.editionConflict.filter((name) => !isSoldAgain(name)),
    ...otherMusicSaid(file, fit.album),
  ]);
  const edition = [...other].filter((name) => name !== 'live' || !groupStrong);
  if (edition.length > 0) strike('edition', `another edition: ${edition.join(', ')}`);
  if (fit.namesAnother && facts.unitShare < 0.6 && !isComplete(fit, facts))
    strike('other_album', 'another album is named');
  else if (pair.similarity !== null && title < NEAR_TITLE && isOfAnother(file, fit))
    strike('other_album', 'its tag names another album');
  const isNamed = title >= SAME_TITLE && (fit.albumSimilarity ?? 0) >= 0.9;
  if (facts.matched <= 2 && facts.unitShare < 0.5 && pair.positionAgrees === false && !isNamed)
    strike('stray', 'the rest of the batch is elsewhere');
  if (hasRival(fit, row, column, pair)) strike('rival', 'another free track fits as well');
  if (isAlone(fit, column, pair, facts)) strike('alone', 'title alone');
  return vetoes;
}

/** What is left of a name that lost most of its letters. */
const FAINT_TITLE = 0.5;
/** A title that is at most damaged. */
const NEAR_TITLE = 0.85;
/** Titles of albums that have nothing in common but chance. */
const UNLIKE = 0.6;

/** MATCH-44: the file's own tag names another album, or another volume of the series. */
function isOfAnother(file: FileReading, fit: AlbumFit): boolean {
  const tag = file.albums.find((reading) => reading.source === 'tag')?.key;
  const { title } = fit.album;
  if (tag === undefined || tag.folded === title.folded) return false;
  const volumes = tag.numbers !== '' && title.numbers !== '' && tag.numbers !== title.numbers;
  return volumes || textSimilarity(tag, title) < UNLIKE;
}

/** MATCH-42: all tracks of an album under their names, in their order and lengths are it, whatever else its folder holds. */
function isComplete(fit: AlbumFit, facts: GroupFacts): boolean {
  const named = facts.titlesAgree >= 0.9 && facts.positionsAgree >= 0.9;
  return fit.coverage === 1 && facts.matched >= 4 && facts.timed > 0 && facts.near >= facts.timed * 0.9 && named;
}

/**
 * Tags that name this track and another artist are another artist's recording of it. Tags that name another track are
 * somebody's mistake, and names in Chinese characters are read in several ways: neither says so.
 */
function isCovered(file: FileReading, fit: AlbumFit, column: number): boolean {
  const track = fit.album.tracks[column];
  const title = file.titles.find((reading) => reading.source === 'tag');
  if (!track || !title || textSimilarity(title.key, track.title) < 0.75) return false;
  const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
  return isHan(track.track.artist) === isHan(file.tagArtist ?? '');
}

/** A few names of others among those of the album's artist. */
const FEW = 1 / 3;

/**
 * MATCH-37, MATCH-54: covers name their players in the tags of all files. MATCH-72: other names in a few tags beside
 * the right one in the others are guests, composers and mistakes.
 */
function isPlayedByOthers(
  file: FileReading,
  fit: AlbumFit,
  row: number,
  column: number,
  facts: GroupFacts,
  groupStrong: boolean,
): boolean {
  if (groupStrong && facts.foreign <= 1 - FEW) return false;
  if (isCovered(file, fit, column) || facts.covered >= 0.5) return true;
  return !groupStrong && (fit.pairs[row]?.[column]?.artistSimilarity ?? 0) < SAME_ARTIST;
}

/** One or two files with neither artist nor album: a title and a length are not enough, two that agree in all are. */
function isAlone(fit: AlbumFit, column: number, pair: PairScore, facts: GroupFacts): boolean {
  if (facts.matched > 2 || (pair.artistSimilarity ?? 0) >= 0.65 || (fit.albumSimilarity ?? 0) >= 0.7) return false;
  const agrees = pair.positionAgrees === true && (pair.similarity ?? 0) >= NEAR_TITLE && Math.abs(pair.off ?? 9) <= 1.5;
  return !agrees || (facts.matched < 2 && !isUnmistakable(fit, column, pair));
}

/** Letters of a title that no two songs have by chance. */
const LONG_TITLE = 8;

/** MATCH-74: number and length agree, and the title, which is no short one, is no other track's in the catalog. */
function isUnmistakable(fit: AlbumFit, column: number, pair: PairScore): boolean {
  const track = fit.album.tracks[column];
  if (!track || track.namesakes > 1) return false;
  const { length } = track.title.compact;
  return (pair.similarity ?? 0) >= SAME_TITLE
    ? length >= LONG_TITLE
    : length >= 1.5 * LONG_TITLE && Math.abs(pair.off ?? 9) <= 1;
}

/** How much likelier (log) by its name the assigned track has to be than another of the same length. */
const CHOSEN_BY_NAME = 4;

/**
 * A damaged name does not choose between two tracks that nobody else took and that both have this length, unless it is
 * much nearer to one of them (MATCH-75). Without a name two files of equal length and number may be exchanged.
 */
function hasRival(fit: AlbumFit, row: number, column: number, pair: PairScore): boolean {
  if (pair.off === null) return false;
  if (pair.similarity === null) return isExchangeable(fit, row, column);
  if (pair.similarity >= SAME_TITLE) return false;
  const taken = new Set(fit.given);
  return (fit.pairs[row] ?? []).some(
    (other, at) =>
      at !== column &&
      !taken.has(at) &&
      other.off !== null &&
      Math.abs(other.off) <= LENGTH_TOLERANCE &&
      pair.title - other.title < CHOSEN_BY_NAME,
  );
}

/** What two files exchanged have to lose at the least (log). */
const NOTICED = 1.5;

/** MATCH-76: of two nameless files each could be the other's track: discs whose numbers begin anew. */
function isExchangeable(fit: AlbumFit, row: number, column: number): boolean {
  const total = (at: number, track: number): number => fit.pairs[at]?.[track]?.total ?? 0;
  return fit.given.some(
    (track, at) =>
      at !== row &&
      track >= 0 &&
      track !== column &&
      fit.pairs[at]?.[track]?.similarity === null &&
      total(row, column) + total(at, track) - total(row, track) - total(at, column) < NOTICED,
  );
}

/** The numbers a decision about one file rests on; names are those of the profile's coefficients. */
export type Features = Record<string, number>;

export interface Decision {
  /** Calibrated 0..1, after vetoes. */
  confidence: number;
  /** Calibrated, before vetoes. */
  raw: number;
  features: Features;
  /** Any of them sends the file to review. */
  vetoes: Veto[];
}

const clip = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** What a veto leaves at most: under any sensible threshold of approval. */
const CAP = 0.85;

export function groupFacts(files: readonly FileReading[], fits: readonly AlbumFit[], unitFiles: number): GroupFacts {
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
    soldAgain: best ? editionsInDoubt(best, fits, offs) : [],
    covered: other.length === 0 ? 0 : other.filter((covered) => covered).length / other.length,
    titlesAgree: named.length === 0 ? 1 : named.filter(isTitled).length / named.length,
    positionsAgree:
      numbered.length === 0 ? 1 : numbered.filter((pair) => pair.positionAgrees === true).length / numbered.length,
    matched: pairs.length,
    unitShare: pairs.length / Math.max(1, unitFiles),
    albumMargin: best ? best.total - (fits[1]?.total ?? 0) : 0,
    medianOff: medianOff(titled),
    near: offs.filter((off) => off <= 3).length,
    timed: offs.length,
    meanTotal: pairs.length === 0 ? 0 : pairs.reduce((sum, pair) => sum + pair.total, 0) / pairs.length,
  };
}

/** Seconds by which the lengths of the very recordings differ at most, in the middle. */
const SAME_LENGTHS = 0.75;

/**
 * MATCH-65: words like `Remastered` or `Deluxe` that files and album do not share speak where the catalog has another
 * edition to choose; else where the lengths leave room for one.
 */
function editionsInDoubt(best: AlbumFit, fits: readonly AlbumFit[], offs: readonly number[]): string[] {
  const differing = best.editionConflict.filter(isSoldAgain);
  if (differing.length === 0) return [];
  const base = editionBase(best.album.album.title);
  const siblings = fits.some(
    (fit) => fit !== best && fit.matched * 2 >= best.matched && editionBase(fit.album.album.title) === base,
  );
  const middle = offs[Math.floor(offs.length / 2)] ?? Infinity;
  return siblings || middle > SAME_LENGTHS ? differing : [];
}

/** @param offs of pairs whose titles agree, seconds, the smallest first. MATCH-64: of two, one alone says nothing of the other. */
function medianOff(offs: readonly number[]): number | null {
  return offs.length < 2 ? null : (offs[offs.length === 2 ? 0 : Math.floor(offs.length / 2)] ?? null);
}

/** How much nearer than the one assigned a title of another album has to be. */
const NEARER = 0.07;

/**
 * MATCH-45: of the same artist, with the same length, another album has the file's very title: albums whose titles are
 * alike have tracks whose titles are alike, and in a large drop not every album is compared with every file.
 */
function isTitledOnOtherAlbum(pair: PairScore, others: readonly (readonly PairScore[])[]): boolean {
  const least = Math.max(SAME_TITLE, (pair.similarity ?? 0) + NEARER);
  return others.some((row) =>
    row.some(
      (other) =>
        (other.similarity ?? 0) >= least &&
        (other.artistSimilarity ?? 0) >= 0.85 &&
        other.off !== null &&
        Math.abs(other.off) <= 3,
    ),
  );
}

/** Decides one assigned pair. `others`: what the file is on other albums, a row each. */
export function decidePair(
  file: FileReading,
  fit: AlbumFit,
  row: number,
  column: number,
  facts: GroupFacts,
  profile: CalibrationProfile,
  others: readonly (readonly PairScore[])[] = [],
): Decision {
  const pair = fit.pairs[row]?.[column] as PairScore;
  const vetoes = vetoesOf(file, fit, row, column, facts);
  if (isTitledOnOtherAlbum(pair, others)) vetoes.push({ kind: 'rival', label: 'its very title is on another album' });
  const features = featuresOf(fit, row, column, pair, facts);
  for (const veto of vetoes) features[`veto_${veto.kind}`] = 1;
  const raw = predict(profile, features);
  return { confidence: vetoes.length > 0 ? Math.min(raw, CAP) : raw, raw, features, vetoes };
}

function featuresOf(fit: AlbumFit, row: number, column: number, pair: PairScore, facts: GroupFacts): Features {
  let runnerUp = 0;
  fit.pairs[row]?.forEach((other, at) => {
    if (at !== column) runnerUp = Math.max(runnerUp, other.total);
  });
  return {
    title: clip(pair.title, -3, 9) / 5,
    untitled: pair.similarity === null ? 1 : 0,
    duration: clip(pair.duration, -4.5, 6) / 3,
    untimed: pair.off === null ? 1 : 0,
    position: pair.position / 2,
    artist: pair.artist / 3.5,
    version: pair.version / 2,
    trackMargin: clip(pair.total - runnerUp, -4, 12) / 5,
    albumMargin: clip(facts.albumMargin, 0, 12) / 4,
    meanTotal: clip(facts.meanTotal, 0, 18) / 6,
    matchedShare: facts.matched / Math.max(1, facts.files),
    nearShare: facts.timed === 0 ? 0.5 : facts.near / facts.timed,
    size: Math.log(Math.max(1, facts.matched)),
    coverage: fit.coverage,
    album: clip(fit.albumEvidence, -3, 9) / 4,
    shared: fit.shared[row] === true ? 1 : 0,
    alone: facts.matched <= 1 ? 1 : 0,
    bias: 1,
    titlesAgree: facts.titlesAgree,
    unitShare: facts.unitShare,
  };
}
