import { throwIfCancelled } from '../../cancel.ts';
import { companionOf, look } from './look.ts';
import type { Incoming } from './ports.ts';
import { store } from './take-file.ts';
import type { StageRun } from './stage-run.ts';

/**
 * Stores the bytes of what is a row already: a worker that goes on with another one's upload has none of them. Rows are
 * not changed, but for the copies of archives.
 */
export async function refill(run: StageRun, incoming: Incoming): Promise<void> {
  const { ports, rows, cancel } = run;
  const { path } = incoming;
  throwIfCancelled(cancel);
  try {
    const { outcome } = await look(ports, incoming);
    if (outcome.as === 'archive') {
      const known = await rows.archive(path);
      // One that could not be opened, or was cancelled, is over.
      if (known === undefined || known.error !== undefined) return;
      const { sha256 } = await store(run, incoming, 'archive');
      await rows.addArchive({ path, sha256 });
    } else if (outcome.as === 'companion' && outcome.keep === 'blob')
      await companionOf(ports, incoming, outcome, () => store(run, incoming));
    else if (outcome.as === 'job' && (await rows.isUnfinished(path))) await store(run, incoming);
  } finally {
    await incoming.release();
  }
  await ports.taken?.();
}
