import { AccessionError, failure } from '#core/errors.ts';
import { baseName } from '#core/ingest/paths.ts';
import type { StageDeps, Reopened, StageRun } from './context.ts';
import { readingOf } from './reading-of.ts';
import { waitingJobs } from './rows.ts';
import { openStaged, placed } from './unpack.ts';

/**
 * Which failed rows of a kept archive can be taken in now: what a password opens (each entry is asked, so that a
 * wrong one is known before anything changes), and what only wanted space. Throws AccessionError `archive_encrypted`
 * when the password opens none, `not_found` when nothing waits.
 */
export async function lookAgain(
  deps: StageDeps,
  batchId: string,
  path: string,
  password: string | null,
): Promise<Reopened> {
  const archives = (await deps.db.batches.get(batchId))?.archives ?? [];
  const archive = archives.find((one) => one.path === path);
  const name = baseName(path);
  if (archive?.waiting === undefined)
    throw new AccessionError(failure('not_found', `Nothing of "${name}" waits any more.`, { subject: name }));
  const again: Reopened = { path, retake: new Map(), ...(password === null ? {} : { password }) };
  const run: StageRun = {
    batchId,
    cancel: { aborted: false },
    limits: await deps.limits(),
    expansions: new Map(),
    reading: readingOf(deps, batchId),
    listed: new Set(),
    again,
  };
  const opened = await openStaged(deps, run, archive, archives);
  try {
    const items = new Map(placed(archive, opened).map(({ path: at, item }) => [at, item]));
    const retake = new Map<string, string>();
    for (const job of await waitingJobs(deps, batchId, new Set(items.keys()))) {
      const item = items.get(job.path);
      if (item?.ok && (await (item.unlocks?.() ?? true))) retake.set(job.path, job.id);
    }
    if (retake.size === 0) throw new AccessionError(closed(name, password));
    return { ...again, retake };
  } finally {
    await opened.close();
  }
}

function closed(name: string, password: string | null): ReturnType<typeof failure> {
  const why = password === null ? `"${name}" needs a password.` : `This password does not open "${name}".`;
  return failure('archive_encrypted', why, { subject: name, remedy: 'Check the password and enter it again.' });
}
