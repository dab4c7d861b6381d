import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import type { BatchMatch, MatchRequest } from '#lanes/music/core/match/match.types.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';

export type Matcher = (request: MatchRequest) => BatchMatch;

/** What the matcher reads of a file's tags; a comment beside them makes no other match. */
const READ: readonly (keyof FileTags)[] = [
  'title',
  'artist',
  'album',
  'albumartist',
  'track',
  'tracktotal',
  'disc',
  'disctotal',
  'year',
  'genre',
  'compilation',
  'external_ids',
];

/** The matcher, with its answers kept: several answerers and many hostile rows ask about the same batches. */
export function cachedMatcher(index: CatalogIndex): Matcher {
  const known = new Map<string, BatchMatch>();
  return (request) => {
    const key = JSON.stringify([request.files.map(seenOf), request.context]);
    const found = known.get(key) ?? matchBatch(request, index);
    known.set(key, found);
    return found;
  };
}

function seenOf(file: FileEvidence): unknown[] {
  return [file.file_id, file.path, file.duration_ms, ...READ.map((key) => file.tags[key] ?? null)];
}
