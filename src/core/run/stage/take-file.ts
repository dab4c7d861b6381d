import { AccessionError, failure, toFailure, type Failure } from '../../errors.ts';
import { describeFile, type ArchiveKind } from '../../ingest/file-kinds.ts';
import type { IngestOutcome } from '../../ingest/ingester.ts';
import type { StepDraft } from '../../job/job.ts';
import type { BlobRef } from '../../ports.ts';
import { isLocal } from '../ports.ts';
import { companionOf, contextStep, look } from './look.ts';
import type { Incoming, StagePorts } from './ports.ts';
import type { TakenFile } from './rows.ts';
import type { StageRun } from './stage-run.ts';

/**
 * Takes one file in: reads its first bytes, asks the ingester, stores what is to be kept, then writes the rows. A file
 * that cannot be taken in is a failed row. Throws only AccessionError `cancelled`, a local failure that leaves the
 * upload to another one, and what the store throws.
 */
export async function takeFile(run: StageRun, incoming: Incoming): Promise<void> {
  const { ports, rows } = run;
  let steps: StepDraft[] = [contextStep(incoming, null, null)];
  const before = run.reading.done;
  try {
    await run.reading.goOn(run.cancel);
    const seen = await look(ports, incoming);
    steps = seen.steps;
    await act(run, incoming, seen.outcome, steps);
  } catch (error) {
    const why = await named(ports, error, incoming);
    if (why.code === 'cancelled') throw error;
    if (isLocal(why) && ports.onLocalFailure(why) === 'stop') throw error;
    await rows.takeFailed({ ...taken(ports, incoming, null, incoming.size), steps }, why);
  } finally {
    run.reading.ended(incoming.size, before);
    await incoming.release();
  }
  await ports.taken?.();
}

async function act(run: StageRun, incoming: Incoming, outcome: IngestOutcome, steps: StepDraft[]): Promise<void> {
  const { ports, rows } = run;
  switch (outcome.as) {
    case 'failed':
      throw new AccessionError(outcome.failure);
    case 'job': {
      const { sha256, size } = await store(run, incoming);
      return rows.takeJob(outcome.lane, { ...taken(ports, incoming, sha256, size), sha256, steps });
    }
    case 'archive':
      return takeArchive(run, incoming, outcome.kind, steps);
    case 'companion': {
      const companion = await companionOf(ports, incoming, outcome, () => store(run, incoming));
      return rows.takeCompanion(companion, incoming.replaces);
    }
  }
}

async function takeArchive(
  run: StageRun,
  incoming: Incoming,
  kind: ArchiveKind,
  steps: readonly StepDraft[],
): Promise<void> {
  const { ports, rows } = run;
  const inIt = await bytesWithin(incoming, run);
  // Before it is copied: otherwise the drop would seem done with the copy, and go back.
  run.reading.expect(inIt ?? 0);
  const { sha256, size } = await store(run, incoming, 'archive').catch((error: unknown) => {
    run.reading.expect(-(inIt ?? 0));
    throw error;
  });
  if (inIt !== null) run.listed.add(incoming.path);
  const { path, inside, replaces, job_id } = incoming;
  const own = job_id ?? (ports.archivesAreJobs ? ports.ids.next() : undefined);
  const archive = {
    ...{ path, sha256, kind },
    ...(inside === undefined ? {} : { inside }),
    ...(own === undefined ? {} : { job_id: own, size }),
  };
  // What the server made a job of has its first step there.
  await rows.addArchive(archive, { replaces, steps: job_id === undefined ? steps : [] });
}

/**
 * A dropped archive that cannot be used is said at once, not after gigabytes of it were stored. Answers the bytes in it;
 * null where it cannot be listed yet.
 */
async function bytesWithin({ list, name }: Incoming, { limits }: StageRun): Promise<number | null> {
  const opened = await list?.({ name, limits });
  await opened?.close();
  return opened?.items.reduce((sum, item) => sum + (item.ok ? item.size : 0), 0) ?? null;
}

const TOO_LITTLE = 'Less than twice its size is free in this browser';
/** Nothing was refused: the browser says that it has too little, and it says too much rather than that. */
class TooLittleFree extends AccessionError {}

/** Into the blob store, when there is room: for the file, and for what will be made of it. */
export async function store(run: StageRun, incoming: Incoming, what: 'file' | 'archive' = 'file'): Promise<BlobRef> {
  const { ports } = run;
  if (incoming.stored) return incoming.stored;
  const free = await ports.freeBytes();
  if (free !== null && free < incoming.size * 2) throw new TooLittleFree(failure('storage_full', `${TOO_LITTLE}.`));
  const chunks = run.reading.through(incoming, run.cancel);
  // Its files are hashed as they come out of it: hashing the archive as well would only cost time.
  if (what === 'archive') return ports.blobs.keep(chunks, run.cancel);
  return ports.blobs.put(chunks, run.cancel, incoming.size);
}

/** `size` is what was stored where something was: what an archive declares may be a lie. */
function taken(
  { archivesAreJobs }: StagePorts,
  { path, name, replaces, job_id, inside }: Incoming,
  sha256: string | null,
  size: number,
): Omit<TakenFile, 'steps'> {
  return { path, name, size, sha256, replaces, job_id, archive: archivesAreJobs ? inside : undefined };
}

/** A failure of storing, with the file's name and with what helps when nothing of it is stored. */
async function named(ports: StagePorts, error: unknown, incoming: Incoming): Promise<Failure> {
  const why = toFailure(error, incoming.name);
  const subject = incoming.name;
  if (why.code === 'storage_full') {
    const then = incoming.from === null ? 'drop the file again' : 'take the rest of the archive on the Ingest page';
    const what = `${describeFile(incoming.name, incoming.from)} could not be stored.`;
    // For itself and for what is made of it.
    const scarce = error instanceof TooLittleFree ? { why: TOO_LITTLE } : {};
    return ports.noSpace(what, incoming.size * 2, { subject, then, ...scarce });
  }
  if (why.code === 'storage_failed') {
    const message = `${describeFile(incoming.name, incoming.from)} could not be stored. ${why.message}`;
    return { ...why, subject, remedy: 'Reload the page and drop the file again.', message };
  }
  return { ...why, subject };
}
