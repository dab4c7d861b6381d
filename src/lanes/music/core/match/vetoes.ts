/** MATCH-9: what sends a file to a person whatever its score. How much each prevents and costs: `npm run eval`. */
import { isPatterned, type AlbumFit } from './album-fit.ts';
import { otherMusicSaid, isSoldAgain } from './album-evidence.ts';
import { SAME_ARTIST } from './artists.ts';
import { isCovered, type GroupFacts } from './group-facts.ts';
import { type PairScore, SAME_TITLE } from './score.ts';
import type { FileReading } from '../names/reading.ts';
import { textSimilarity } from '#core/text/similarity.ts';

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
    | 'rival'
    | 'alone'
    | 'compilation';
  /** For the chip: `length off by 8 s`. */
  label: string;
}

/** Seconds by which a length may be off without an explanation. */
const LENGTH_TOLERANCE = 3;

/** MATCH-9: the vetoes that strike one assigned pair. */
export function vetoesOf(file: FileReading, fit: AlbumFit, row: number, column: number, facts: GroupFacts): Veto[] {
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
  if (facts.albumMargin < 0.6 || facts.rivalled) strike('twin', 'another album fits as well');
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
  if (hasRival(fit, row, column, pair)) strike('rival', 'another free track fits as well');
  if (isTitledBeside(fit, row, column, pair)) strike('rival', 'another free track has its very title');
  if (isAlone(fit, column, pair, facts)) strike('alone', 'title alone');
  if (isOnlyCompiled(fit, pair, facts)) strike('compilation', 'only on a compilation');
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

/**
 * MATCH-90: a single song of which neither a number nor a text says that it is this compilation's. Songs of
 * compilations have come out elsewhere, and the catalog need not have that album.
 */
function isOnlyCompiled(fit: AlbumFit, pair: PairScore, facts: GroupFacts): boolean {
  if (!fit.album.album.is_compilation || fit.requested || facts.matched > 1 || fit.album.tracks.length < 2)
    return false;
  return pair.positionAgrees !== true && (fit.albumSimilarity ?? 0) < 0.7;
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

/** What a title is nearer to the track that is called so than to another part of the same work. */
const NEARER = 0.07;

/** A title without any damage. */
const VERY_TITLE = 0.999;

/** MATCH-103: a free track of the album has the file's very title, and the assigned one, by its length, another (`Part III`, `Part II`). */
function isTitledBeside(fit: AlbumFit, row: number, column: number, pair: PairScore): boolean {
  const similar = pair.similarity;
  if (similar === null || similar >= VERY_TITLE) return false;
  const taken = new Set(fit.given);
  const numbers = fit.album.tracks[column]?.title.numbers;
  return (fit.pairs[row] ?? []).some(({ similarity }, at) => {
    if (at === column || taken.has(at)) return false;
    const isOtherPart = fit.album.tracks[at]?.title.numbers !== numbers;
    return (similarity ?? 0) >= (isOtherPart ? VERY_TITLE : Math.max(SAME_TITLE, similar + NEARER));
  });
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
