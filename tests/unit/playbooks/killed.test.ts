/** Random playbooks, killed after every entry of their journal and resumed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runOf, worldOf, type TakenOver, type World } from './killed-world.ts';

test('PLAYBOOK-12 killed after every entry of its journal and resumed, a run leaves the same files and asks no answered call twice', async () => {
  await fc.assert(
    fc.asyncProperty(worldOf, async (world) => {
      const whole = await runOf(world, []);
      // The head and the session are written before anything can be resumed.
      for (let at = 2; at < whole.lines; at += 1) {
        const killed = await runOf(world, [at]);
        expect(killed.written, `${world.playbook} killed after ${at}`).toEqual(whole.written);
        expect(killed.end).toEqual(whole.end);
        // Units behind a failed one may have been begun or not; of the others no answer came twice.
        for (const [unit, count] of Object.entries(killed.ended))
          expect(count, `${unit} of ${world.playbook}`).toBeLessThanOrEqual(whole.ended[unit] ?? count);
      }
    }),
    { numRuns: 15, seed: 24 },
  );
});

test('PLAYBOOK-12 killed twice, it comes to the same end', async () => {
  await fc.assert(
    fc.asyncProperty(worldOf, async (world) => {
      const whole = await runOf(world, []);
      const killed = await runOf(world, [5, 9]);
      expect(killed.written).toEqual(whole.written);
      if (killed.end !== 'killed') expect(killed.end).toEqual(whole.end);
    }),
    { numRuns: 10, seed: 42 },
  );
});

test('PLAYBOOK-12, PLAYBOOK-15 stopped by a limit as often as it takes, killed and resumed each time, a run leaves the same files and asks no answered call twice', async () => {
  await fc.assert(
    fc.asyncProperty(worldOf, fc.integer({ min: 1, max: 4 }), async (world, budget) => {
      const whole = await runOf(world, []);
      for (const kills of [[], [4], [7, 5], [9, 9, 9]]) {
        const bounded = await runOf(world, kills, { budget });
        expect(bounded.written, `${world.playbook} with ${budget} calls, killed after ${kills.join()}`).toEqual(
          whole.written,
        );
        if (bounded.end !== 'killed') expect(bounded.end).toEqual(whole.end);
        // What failed is asked anew by each resume after an end (PLAYBOOK-14).
        for (const [unit, count] of Object.entries(bounded.ended))
          if (whole.done.has(unit))
            expect(count, `${unit} of ${world.playbook}`).toBeLessThanOrEqual(whole.ended[unit] ?? count);
      }
    }),
    { numRuns: 15, seed: 31 },
  );
});

/** The world with a run before it, in which the first record was another. */
const takenOver = fc
  .record({ world: worldOf, from: fc.constantFrom('none', 's', 'last'), alone: fc.boolean() })
  .map(({ world, from, alone }): { world: World; over: TakenOver } => {
    const files = Object.entries(world.files).map(([path, text]) => {
      const records = JSON.parse(text) as { k: string; v: number }[];
      return [path, JSON.stringify(records.map((one, at) => (at === 0 ? { ...one, v: one.v + 10 } : one)))];
    });
    const step = from === 'last' && world.playbook.includes('name: t') ? 't' : 's';
    const again = from === 'none' ? {} : alone ? { steps: [step] } : { from: step };
    return { world, over: { files: Object.fromEntries(files) as Record<string, string>, again } };
  });

test('PLAYBOOK-95 killed after every entry of its journal and resumed, a run that takes units over from another leaves the same files, takes the same over, and asks no answered call twice', async () => {
  let [taken, asked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(takenOver, async ({ world, over }) => {
      const whole = await runOf(world, [], { over });
      taken += whole.taken.size;
      asked += whole.asked.size;
      for (let at = 2; at < whole.lines; at += 1) {
        const killed = await runOf(world, [at], { over });
        const of = `${world.playbook} with ${JSON.stringify(over.again)}, killed after ${at}`;
        expect(killed.written, of).toEqual(whole.written);
        expect(killed.end, of).toEqual(whole.end);
        for (const unit of whole.taken) {
          expect(killed.taken.has(unit), `${unit} of ${of}`).toBe(true);
          expect(killed.asked.has(unit), `${unit} of ${of}`).toBe(false);
        }
        for (const [unit, count] of Object.entries(killed.ended))
          expect(count, `${unit} of ${of}`).toBeLessThanOrEqual(whole.ended[unit] ?? count);
      }
    }),
    { numRuns: 8, seed: 95 },
  );
  // It was seen both ways.
  expect(taken).toBeGreaterThan(3);
  expect(asked).toBeGreaterThan(10);
});

test('PLAYBOOK-95 killed three times and stopped by a limit, a run that takes units over comes to the same end', async () => {
  await fc.assert(
    fc.asyncProperty(takenOver, fc.integer({ min: 1, max: 3 }), async ({ world, over }, budget) => {
      const whole = await runOf(world, [], { over });
      const bounded = await runOf(world, [4, 6, 9], { budget, over });
      expect(bounded.written).toEqual(whole.written);
      if (bounded.end !== 'killed') expect(bounded.end).toEqual(whole.end);
      for (const unit of bounded.taken) expect(bounded.asked.has(unit), unit).toBe(false);
    }),
    { numRuns: 10, seed: 96 },
  );
});
