import { readFile, writeFile } from 'node:fs/promises';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { MatchContext } from '#lanes/music/core/match/match.types.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';

/** One line of a cases file: a batch with its context. `truth` may be beside and is not read. */
interface CaseLine {
  files: { file_id: string; path: string; duration_ms?: number | null; tags?: FileTags; size_bytes?: number }[];
  context?: { type?: string; request_album_id?: string | undefined; request_track_id?: string | undefined };
}

/**
 * Matches every case by the same code as the app and writes one prediction line per file:
 * `{"file_id","track_id","confidence","options"}`; with `full` one line per case, all that the matcher says of it.
 * Paths are of local files; throws what the file system throws.
 */
export async function matchCommand(options: {
  catalog: string;
  cases: string;
  out: string;
  full?: boolean;
}): Promise<{ cases: number; files: number }> {
  const catalog = JSON.parse(await readFile(options.catalog, 'utf8')) as CatalogFile;
  const index = buildCatalogIndex(catalog);
  const lines = (await readFile(options.cases, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const output: string[] = [];
  let files = 0;
  for (const line of lines) {
    const batch = JSON.parse(line) as CaseLine;
    const result = matchBatch({ files: batch.files.map(evidenceOf), context: contextOf(batch.context) }, index);
    files += result.files.length;
    if (options.full === true) {
      output.push(JSON.stringify(result));
      continue;
    }
    for (const file of result.files) {
      output.push(
        JSON.stringify({
          file_id: file.file_id,
          track_id: file.track_id,
          confidence: file.confidence,
          options: file.options.map((option) => option.track_id),
        }),
      );
    }
  }
  await writeFile(options.out, output.map((line) => `${line}\n`).join(''));
  return { cases: lines.length, files };
}

/** A case's file as the matcher sees it. */
export function evidenceOf(file: CaseLine['files'][number]): FileEvidence {
  return { file_id: file.file_id, path: file.path, duration_ms: file.duration_ms ?? null, tags: file.tags ?? {} };
}

/** A case's context as the matcher sees it. */
export function contextOf(context: CaseLine['context']): MatchContext {
  if (context?.type !== 'download_request') return { type: 'spontaneous' };
  return {
    type: 'download_request',
    request: { album_id: context.request_album_id ?? null, track_id: context.request_track_id ?? null },
  };
}
