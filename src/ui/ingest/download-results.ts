/** Finished results as files: no server is needed for it. Loaded when somebody asks for some. */
import { failure } from '#core/errors.ts';
import { uniquePaths } from '#core/ingest/paths.ts';
import type { Job } from '#core/job/job.ts';
import { safeName, safeValue } from '#core/naming/safe-name.ts';
import { keptFiles, zipOf } from '../client/result-files.ts';
import { laneOf } from '../lanes.ts';
import { downloadBlob } from '../parts/download.ts';
import { toasts } from '../parts/toasts.svelte.ts';
import { plural } from '../parts/words.ts';

/** One as a file, several as a ZIP of this name. What is freed here already is counted, and said. */
export async function downloadResults(jobs: readonly Job[], label: string): Promise<void> {
  const named = resultNames(jobs);
  const files = await keptFiles(named);
  const [first, ...others] = files;
  const gone = named.length - files.length;
  if (gone > 0)
    toasts.fail(
      failure(
        'blob_missing',
        `${plural(gone, 'result')} of "${label}" ${gone === 1 ? 'is' : 'are'} not kept here any more.`,
        {
          remedy: 'What is published can be played and downloaded from the catalog.',
        },
      ),
    );
  if (first === undefined) return;
  if (others.length === 0) downloadBlob(first.name.split('/').at(-1) ?? first.name, first.blob);
  else downloadBlob(`${label}.zip`, await zipOf(files));
}

/** UI-267: `Fela Kuti - Zombie/01 Zombie.ogg`, each once, as every file system takes it. */
export function resultNames(jobs: readonly Job[]): { name: string; sha256: string }[] {
  const unique = uniquePaths();
  return jobs.flatMap((job) => {
    if (job.output_sha256 === null) return [];
    const parts = laneOf(job)?.rows?.resultName?.(job) ?? [job.original_filename.replace(/\.[^.]*$/, '')];
    const path = parts.map((part) => safeName(safeValue(part).text).text || '_').join('/');
    return { name: unique(`${path}.ogg`), sha256: job.output_sha256 };
  });
}
