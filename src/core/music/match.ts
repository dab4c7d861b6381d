import { groupByHome } from './group.ts';
import { matchChosen } from './match-chosen.ts';
import type { BatchMatch, FileMatch, GroupMatch, MatchRequest } from './match.types.ts';
import { matchUnit } from './match-unit.ts';
import { parseName } from './names.ts';
import { SHIPPED_PROFILE } from './profile.ts';
import type { CalibrationProfile } from './profile.ts';
import { readUnit } from './reading.ts';
import type { CatalogIndex } from './search.ts';
import { describeGroup } from './describe.ts';

/**
 * Matches one batch of files against the catalog. Pure and synchronous; the same files, context and catalog give the
 * same answer whatever their order. A person's choices in the context are followed without question (MATCH-1).
 */
export function matchBatch(
  request: MatchRequest,
  index: CatalogIndex,
  profile: CalibrationProfile = SHIPPED_PROFILE,
): BatchMatch {
  const { context } = request;
  const wanted = wantedAlbum(request, index);
  const files = request.files
    .map((evidence) => ({ evidence, name: parseName(evidence.path) }))
    .sort((a, b) => order(a.evidence.path, b.evidence.path) || order(a.evidence.file_id, b.evidence.file_id));
  const groups: GroupMatch[] = [];
  const matches: FileMatch[] = [];
  for (const unit of groupByHome(files)) {
    const readings = readUnit(unit.files);
    const chosen = new Map(
      (context.chosenAlbums ?? []).flatMap((choice) => choice.file_ids.map((id) => [id, choice.album_id] as const)),
    );
    const byAlbum = new Map<string, typeof readings>();
    const free: typeof readings = [];
    for (const reading of readings) {
      const album = chosen.get(reading.evidence.file_id);
      if (album === undefined) free.push(reading);
      else byAlbum.set(album, [...(byAlbum.get(album) ?? []), reading]);
    }
    for (const [album, members] of byAlbum) {
      const result = matchChosen(members, album, index);
      groups.push(result.group);
      matches.push(...result.files);
    }
    if (free.length === 0) continue;
    const ids = new Set(free.map((reading) => reading.evidence.file_id));
    const rejected = new Set(
      (context.rejectedAlbums ?? []).flatMap((entry) =>
        entry.file_ids.some((id) => ids.has(id)) ? entry.album_ids : [],
      ),
    );
    for (const group of matchUnit(free, index, { wanted, rejected })) {
      const result = describeGroup(group, profile, wanted);
      groups.push(result.group);
      matches.push(...result.files);
    }
  }
  const settled = context.chosenTracks ?? {};
  const byId = new Map(matches.map((match) => [match.file_id, settle(match, settled)]));
  return { groups, files: request.files.flatMap((file) => byId.get(file.file_id) ?? []) };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function wantedAlbum(request: MatchRequest, index: CatalogIndex): string | null {
  const wanted = request.context.request;
  if (!wanted) return null;
  return wanted.album_id ?? (wanted.track_id === null ? null : index.albumOfTrack(wanted.track_id));
}

/** MATCH-1: a person's word about one file stands. */
function settle(match: FileMatch, settled: Readonly<Record<string, string | null>>): FileMatch {
  if (!Object.hasOwn(settled, match.file_id)) return match;
  return {
    ...match,
    track_id: settled[match.file_id] ?? null,
    confidence: 1,
    reasons: [
      { kind: 'chosen', label: 'chosen by you', tone: 'good' },
      ...match.reasons.filter((reason) => reason.kind !== 'veto'),
    ],
  };
}
