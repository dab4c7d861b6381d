import { throwIfCancelled } from '../../cancel.ts';
import { toFailure } from '../../errors.ts';
import { isLocal } from '../ports.ts';
import { companionOf, look } from './look.ts';
import type { Incoming } from './ports.ts';
import { store } from './take-file.ts';
import type { StageRun } from './stage-run.ts';

/**
 * Stores the bytes of what is a row already: a worker that goes on with another one's upload has none of them. Rows are
 * not changed, but for the copies of archives, and for what cannot be read any more: that fails, and the others go on. What
 * failed when it was taken in fails here as well, and is a row already.
 */
export async function refill(run: StageRun, incoming: Incoming): Promise<void> {
  const { ports, rows, cancel } = run;
  const { path } = incoming;
  throwIfCancelled(cancel);
  try {
    const { outcome } = await look(ports, incoming);
    if (outcome.as === 'archive') {
      const known = await rows.archive(path);
      // One that could not be opened, was cancelled, or has nothing unfinished in it, is over.
      if (known === undefined || known.done) return;
      const { sha256 } = await store(run, incoming, 'archive');
      await rows.addArchive({ path, sha256 });
    } else if (outcome.as === 'companion' && outcome.keep === 'blob')
      await companionOf(ports, incoming, outcome, () => store(run, incoming));
    else if (outcome.as === 'job' && (await rows.isUnfinished(path))) await store(run, incoming);
  } catch (error) {
    const why = toFailure(error, incoming.name);
    if (why.code === 'cancelled' || (isLocal(why) && ports.onLocalFailure(why) === 'stop')) throw error;
    await rows.failAgain(path, { ...why, subject: incoming.name });
  } finally {
    await incoming.release();
  }
  await ports.taken?.();
}
