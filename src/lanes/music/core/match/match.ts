import { chosenFit, matchChosen } from './match-chosen.ts';
import { withTagsTurned } from './exchanged.ts';
import { divideByTag, groupByHome } from './group.ts';
import type { BatchMatch, FileMatch, MatchRequest } from './match.types.ts';
import { outOfPile } from './mixed-folder.ts';
import { matchUnit, type UnitGroup } from './match-unit.ts';
import { groupMark, parseName, type ParsedName } from '../names/names.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from '../calibration/profile.ts';
import { majority, readUnit, type FileReading } from '../names/reading.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import type { AlbumFit } from './album-fit.ts';
import { describeGroup } from './describe.ts';
import { settledAlbum } from './same-doubt.ts';

/** A batch divided into groups, each with what the near albums make of it. */
export interface SolvedBatch {
  groups: UnitGroup[];
  /** Groups whose album a person chose. */
  chosen: { files: FileReading[]; album_id: string }[];
  wanted: string | null;
}

/** Reads, divides and fits; decides nothing. What calibration is fitted on. */
export function solveBatch(request: MatchRequest, index: CatalogIndex): SolvedBatch {
  const { context } = request;
  const wanted = wantedAlbum(request, index);
  const files = request.files
    .map((evidence) => ({ evidence, name: parseName(evidence.path) }))
    .sort((a, b) => order(a.evidence.path, b.evidence.path) || order(a.evidence.file_id, b.evidence.file_id));
  const albumOf = new Map(
    (context.chosenAlbums ?? []).flatMap((choice) => choice.file_ids.map((id) => [id, choice.album_id] as const)),
  );
  const solved: SolvedBatch = { groups: [], chosen: [], wanted };
  const byAlbum = new Map<string, FileReading[]>();
  for (const unit of groupByHome(files)) {
    const free: FileReading[] = [];
    const readings = readUnit(withoutGroupMarks(outOfPile(unit.files, index))).map((file) =>
      withTagsTurned(file, index),
    );
    for (const reading of readings) {
      const album = albumOf.get(reading.evidence.file_id);
      if (album === undefined) free.push(reading);
      else byAlbum.set(album, [...(byAlbum.get(album) ?? []), reading]);
    }
    for (const part of free.length === 0 ? [] : divideByTag(free)) {
      const ids = new Set(part.map((reading) => reading.evidence.file_id));
      const about = (entries: readonly { file_ids: string[]; album_ids: string[] }[] = []): string[] =>
        entries.filter((entry) => entry.file_ids.some((id) => ids.has(id))).flatMap((entry) => entry.album_ids);
      const rejected = new Set(about(context.rejectedAlbums));
      solved.groups.push(
        ...matchUnit(part, index, { unit: readings, wanted, rejected, lookAt: about(context.lookAt) }),
      );
    }
  }
  for (const [album_id, members] of byAlbum) solved.chosen.push({ album_id, files: members });
  return solved;
}

/** MATCH-96: what most names of a batch end with, and looks like a release group's mark, is no part of them. */
function withoutGroupMarks<T extends { evidence: { path: string }; name: ParsedName }>(files: readonly T[]): T[] {
  const marks = files.map(({ name }) => groupMark(name.base));
  const mark = majority(marks);
  const marked = marks.filter((one) => one === mark).length;
  if (mark === null || marked < LEAST_MARKED || marked < files.length * 0.7) return [...files];
  return files.map((file, at) => {
    if (marks[at] !== mark) return file;
    const cut = file.evidence.path.lastIndexOf(mark);
    const path = file.evidence.path.slice(0, cut) + file.evidence.path.slice(cut + mark.length);
    return { ...file, name: parseName(path) };
  });
}

/** Names that end alike before that is a mark. */
const LEAST_MARKED = 3;

/**
 * Matches one batch of files against the catalog. Pure and synchronous; the same files, context and catalog give the
 * same answer whatever their order. A person's choices in the context are followed without question (MATCH-1).
 */
export function matchBatch(
  request: MatchRequest,
  index: CatalogIndex,
  profile: CalibrationProfile = SHIPPED_PROFILE,
): BatchMatch {
  return decideBatch(request, solveBatch(request, index), index, profile);
}

/** Decides what was solved; evaluation asks several profiles about one solution. */
export function decideBatch(
  request: MatchRequest,
  solved: SolvedBatch,
  index: CatalogIndex,
  profile: CalibrationProfile,
): BatchMatch {
  const chosen = new Map(solved.chosen.map(({ album_id, files }) => [album_id, files]));
  const described: ReturnType<typeof describeGroup>[] = [];
  for (const group of solved.groups) {
    const answered = (fit: AlbumFit): AlbumFit => chosenFit(group.files, fit.album, index);
    const result = describeGroup(group, profile, solved.wanted, answered, request.context.sameEditions);
    const album = settledAlbum(result.group, group.fits, request.context.chosenAlbums);
    if (album === null) described.push(result);
    else chosen.set(album, [...(chosen.get(album) ?? []), ...group.files]);
  }
  const results = [
    ...[...chosen].map(([album, files]) => matchChosen(files, album, index, profile, request.context.chosenTracks)),
    ...described,
  ];
  const settled = request.context.chosenTracks ?? {};
  const byId = new Map(
    results.flatMap((result) => result.files).map((match) => [match.file_id, settle(match, settled)]),
  );
  return {
    groups: results.map((result) => result.group),
    files: request.files.flatMap((file) => byId.get(file.file_id) ?? []),
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function wantedAlbum(request: MatchRequest, index: CatalogIndex): string | null {
  const wanted = request.context.request;
  if (!wanted) return null;
  return wanted.album_id ?? (wanted.track_id === null ? null : index.albumOfTrack(wanted.track_id));
}

/** MATCH-1: a person's word about one file counts. */
export function settle(match: FileMatch, settled: Readonly<Record<string, string | null>>): FileMatch {
  if (!Object.hasOwn(settled, match.file_id)) return match;
  const trackId = settled[match.file_id] ?? null;
  return {
    ...match,
    track_id: trackId,
    confidence: 1,
    // Evidence explains the matcher's own choice only, and what a person chose has no veto.
    why: match.why && trackId === match.track_id ? { ...match.why, vetoes: [], limit: 'track_chosen' } : null,
    reasons: [
      { kind: 'chosen', label: 'chosen by you', tone: 'good' },
      ...match.reasons.filter((reason) => reason.kind !== 'veto'),
    ],
  };
}
