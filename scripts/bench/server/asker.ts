/**
 * A program of its own that asks every 50 ms whether the server is well, so that neither the crowd's work nor its low
 * priority is in its times: in life it has a machine of its own, so here it goes first, where the system lets it. `fork`
 * starts it with the address; any message is answered with the times, and a closed channel ends it.
 */
import { constants, setPriority } from 'node:os';
import { setTimeout as timeout } from 'node:timers/promises';
import { openScheduler, scheduled } from './scheduled.ts';

/** Milliseconds that each answer took, and how many were no 200. */
export interface Asked {
  times: number[];
  /** The longest that this program itself waited for a processor while it asked, milliseconds; the server's it is not. */
  waited: number;
  wrong: number;
}

const PAUSE_MS = 50;

try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  // Only an administrator may; `waited` says what that costs.
}
const asked: Asked = { times: [], waited: 0, wrong: 0 };
const own = openScheduler();
const url = `${process.argv[2] ?? ''}/health`;
let over = false;
process.once('message', () => (over = true));
// What the program itself does for the first time (loading, connecting) is not the server's.
await ask();
asked.times.length = 0;
asked.waited = 0;
while (!over) {
  await ask();
  await timeout(PAUSE_MS);
}
// Kept until whoever started it has read this: a program that ends at once takes with it what is not yet sent of it.
process.channel?.ref();
process.once('disconnect', () => process.exit());
process.send?.(asked);

async function ask(): Promise<void> {
  const at = performance.now();
  const before = own === null ? 0 : scheduled(own).wait;
  const answer = await fetch(url).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  asked.times.push(performance.now() - at);
  if (own !== null) asked.waited = Math.max(asked.waited, scheduled(own).wait - before);
  if (answer?.status !== 200) asked.wrong += 1;
}
