import { AccessionError, failure, toFailure, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/describe.ts';
import type { IngestOutcome } from '#core/ingest/ingester.ts';
import type { StepDraft } from '#core/job/transitions.ts';
import type { BlobRef } from '#core/ports.ts';
import { openArchive } from '../../media/archive/open.ts';
import { noSpaceFor } from '../storage-failure.ts';
import type { StageDeps, StageRun } from './context.ts';
import type { Incoming } from './incoming.ts';
import { companionOf, contextStep, look } from './look.ts';
import { addArchive, takeAudio, takeCompanion, takeFailed, type TakenFile } from './rows.ts';

/**
 * Takes one file in: looks at its first bytes, asks the ingester, stores what is to be kept, then writes
 * the rows. A file that cannot be taken in is a failed row. Throws only AccessionError `cancelled`, and
 * what the database throws.
 */
export async function takeFile(deps: StageDeps, run: StageRun, incoming: Incoming): Promise<void> {
  let steps: StepDraft[] = [contextStep(incoming, null, null)];
  const before = run.reading.done;
  try {
    await run.reading.goOn(run.cancel);
    const seen = await look(deps.registry, incoming);
    steps = seen.steps;
    await act(deps, run, incoming, seen.outcome, steps);
  } catch (error) {
    const why = await staged(error, incoming);
    if (why.code === 'cancelled') throw error;
    await takeFailed(deps, run.batchId, { ...taken(incoming, null, incoming.size), steps }, why);
  } finally {
    run.reading.ended(incoming.size, before);
    await incoming.release();
  }
}

async function act(
  deps: StageDeps,
  run: StageRun,
  incoming: Incoming,
  outcome: IngestOutcome,
  steps: StepDraft[],
): Promise<void> {
  switch (outcome.as) {
    case 'failed':
      throw new AccessionError(outcome.failure);
    case 'audio': {
      const { sha256, size } = await store(deps, run, incoming);
      return takeAudio(deps, run.batchId, { ...taken(incoming, sha256, size), sha256, steps });
    }
    case 'archive': {
      const inIt = incoming.blob === null ? null : await lookInto(incoming.blob, incoming.name, run);
      // Before it is copied: otherwise the drop would seem done with the copy, and go back.
      run.reading.expect(inIt ?? 0);
      const { sha256 } = await store(deps, run, incoming, 'archive').catch((error: unknown) => {
        run.reading.expect(-(inIt ?? 0));
        throw error;
      });
      if (inIt !== null) run.listed.add(incoming.path);
      const archive = { path: incoming.path, sha256, kind: outcome.kind };
      const inside = incoming.inside === undefined ? {} : { inside: incoming.inside };
      return addArchive(deps, run.batchId, { ...archive, ...inside }, incoming.replaces);
    }
    case 'companion':
      return takeCompanion(
        deps,
        run.batchId,
        await companionOf(incoming, outcome, () => store(deps, run, incoming)),
        incoming.replaces,
      );
  }
}

/** A dropped archive that cannot be used is said at once, not after gigabytes of it were stored. Answers the bytes in it. */
async function lookInto(blob: Blob, name: string, { limits }: StageRun): Promise<number> {
  const opened = await openArchive(blob, { name, limits });
  await opened.close();
  return opened.items.reduce((sum, item) => sum + (item.ok ? item.size : 0), 0);
}

const TOO_LITTLE = 'Less than twice its size is free in this browser';
/** Nothing was refused: the browser says that it has too little, and it says too much rather than that. */
class TooLittleFree extends AccessionError {}

/** Into the blob store, when there is room: for the file, and for what will be made of it. */
async function store(
  deps: StageDeps,
  run: StageRun,
  incoming: Incoming,
  what: 'file' | 'archive' = 'file',
): Promise<BlobRef> {
  const free = await deps.freeBytes();
  if (free !== null && free < incoming.size * 2) throw new TooLittleFree(failure('storage_full', `${TOO_LITTLE}.`));
  const chunks = run.reading.through(incoming, run.cancel);
  // Its files are hashed as they come out of it: hashing the archive as well would only cost time.
  if (what === 'archive') return deps.blobs.keep(chunks, run.cancel);
  return deps.blobs.put(chunks, run.cancel, incoming.size);
}

/** `size` is what was stored where something was: what an archive declares may be a lie. */
function taken(incoming: Incoming, sha256: string | null, size: number): Omit<TakenFile, 'steps'> {
  const { path, name, replaces } = incoming;
  return { path, name, size, sha256, ...(replaces === undefined ? {} : { replaces }) };
}

/** A failure of storing, with the file's name and with what helps when nothing of it is stored. */
async function staged(error: unknown, incoming: Incoming): Promise<Failure> {
  const why = toFailure(error, incoming.name);
  const named = { ...why, subject: incoming.name };
  if (why.code === 'storage_full') {
    const then = incoming.from === null ? 'drop the file again' : 'take the rest of the archive on the Ingest page';
    const what = `${describeFile(incoming.name, incoming.from)} could not be stored.`;
    // For itself and for what is made of it.
    const scarce = error instanceof TooLittleFree ? { why: TOO_LITTLE } : {};
    return noSpaceFor(what, incoming.size * 2, { subject: incoming.name, then, ...scarce });
  }
  if (why.code === 'storage_failed') {
    return {
      ...named,
      remedy: 'Reload the page and drop the file again.',
      message: `${describeFile(incoming.name, incoming.from)} could not be stored. ${why.message}`,
    };
  }
  return named;
}
