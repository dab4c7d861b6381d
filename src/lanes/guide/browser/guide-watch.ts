/**
 * What happens without anybody pressing a button: runs of dead workers get their end, and one tab of all keeps the cadence
 * and derives schedules anew, with the day and with what was recognised.
 */
import type { GuideApp } from '#lanes/guide/core/app/guide-app.ts';
import { CADENCE_MS } from '#lanes/guide/core/run/triggers.ts';
import { parseMemory } from '#lanes/guide/core/run/stored-run.ts';
import { noteRestart, type GuideMachine } from './guide-ports.ts';

/** The lock by which a worker is known to live. */
export const lifeLock = (owner: string): string => `accession-guide-${owner}`;

export async function recoverRuns(machine: GuideMachine, app: GuideApp): Promise<void> {
  const { db, owner, clock } = machine;
  await machine.hold(lifeLock(owner));
  // One tab at a time: two that begin together would note the same death twice.
  await machine.alone('accession-guide-recover', async () => {
    const kept = (await db.guide_state.get('runs'))?.value;
    if (typeof kept !== 'string') return;
    const gone = new Set<string>();
    for (const run of parseMemory(kept).active)
      if (run.owner !== owner && !(await machine.lives(run.owner))) gone.add(run.owner);
    if (gone.size === 0) return;
    await noteRestart(db, clock.now());
    await app.runs.recover((other) => gone.has(other));
  });
}

/** Of all tabs the one that has the lock; it ends with its worker. */
export async function watchGuides(machine: GuideMachine, app: GuideApp): Promise<void> {
  await machine.hold('accession-guide-cadence');
  // What fails now is tried again the next time.
  const derive = (): Promise<void> => app.derive().catch(() => undefined);
  machine.onVideos(() => void derive());
  for (;;) {
    await machine.wait(CADENCE_MS);
    await derive();
    await app.runs.cadence().catch(() => undefined);
  }
}
