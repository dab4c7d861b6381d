/** Random playbooks, killed after every entry of their journal and resumed. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Limits } from '#lanes/playbooks/core/check/step-values.ts';
import { pastOf } from '#lanes/playbooks/core/run/past.ts';
import { beginRun, resumeRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunLog, RunPorts, RunStore } from '#lanes/playbooks/core/run/ports.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { ScriptedModel, type Said } from '../../fixtures/scripted-model.ts';

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

interface World {
  playbook: string;
  files: Record<string, string>;
  /** By prompt: what is said, a try each. */
  answers: Map<string, Said[]>;
}

const output = fc.constantFrom('o.json', 'o.jsonl', 'o.csv', 'o.md', 'o/{this::k}.json', 'o/{this::k}.jsonl');
const worldOf = fc
  .record({
    units: fc.array(fc.record({ k: fc.constantFrom('a', 'b', 'c'), v: fc.integer({ min: 0, max: 9 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
    nested: fc.boolean(),
    parallel: fc.integer({ min: 1, max: 8 }),
    skip: fc.boolean(),
    group: fc.boolean(),
    repeat: fc.boolean(),
    outputs: fc.integer({ min: 0, max: 3 }),
    faults: fc.array(fc.constantFrom('no', 'prose', 'fail', 'never'), { minLength: 6, maxLength: 6 }),
    output,
    second: fc.boolean(),
  })
  .map((one): World => {
    const { units, nested, parallel, skip, group, repeat, outputs, faults } = one;
    const path = group && one.output.includes('{') ? 'o.json' : one.output;
    const format =
      repeat || group
        ? "{ k: '{this::k}', all: [{ i: '{this::%i}', o: '{output}' }, ...] }"
        : "{ '...': '{this}', o: '{output}' }";
    const steps = [
      '  - name: s',
      `    input: ${nested ? 'd/*.json' : 'in.json'}`,
      `    input_division: ${nested ? 'file > array' : 'array'}`,
      `    parallel: ${parallel}`,
      `    on_error: ${skip ? 'skip' : 'stop'}`,
      '    answer_division: array',
      "    instruction_user_prompt: 's {this::%i} {this::k} {this::v} of {this::%file}'",
      `    output: ${path.includes('{') ? `'${path}'` : path}`,
      ...(path.endsWith('.md') ? [] : [`    output_format: ${format}`]),
      ...(group ? ['    group_by: [k]'] : []),
    ];
    if (one.second)
      steps.push(
        ...['  - name: t', '    input: o*', '    allow_empty: true', '    input_division: file', '    parallel: 2'],
        ...["    instruction_user_prompt: 't {this::path}'", '    output: t.txt'],
      );
    const files: Record<string, string> = nested
      ? { 'd/x.json': JSON.stringify(units.slice(0, 3)), 'd/y.json': JSON.stringify(units.slice(3)) }
      : { 'in.json': JSON.stringify(units) };
    const answers = new Map<string, Said[]>();
    const said = JSON.stringify(Array.from({ length: outputs }, (_, at) => `=o${at}`));
    for (const [at, { k, v }] of units.entries()) {
      const file = nested ? (at < 3 ? 'd/x.json' : 'd/y.json') : 'in.json';
      const place = nested && at >= 3 ? at - 3 : at;
      const fault = faults[at % faults.length] ?? 'no';
      const series: Said[] =
        fault === 'prose'
          ? [{ say: 'well, no' }, { say: said }]
          : fault === 'fail'
            ? [{ fail: 'model_missing' }]
            : fault === 'never'
              ? [{ say: 'never any' }]
              : [{ say: said }];
      answers.set(`s ${place} ${k} ${v} of ${file}`, series);
    }
    return { playbook: `playbook: 1\nsteps:\n${steps.join('\n')}\n`, files, answers };
  });

class Killed extends Error {}

/** A world's run, each process of it killed when its journal has so many lines more; the lines that it has at the end. */
async function runOf({ playbook, files: given, answers }: World, kills: number[], budget: number | null = null) {
  const files = new MemoryFiles(given, sha256);
  const runs = new MemoryRuns();
  const model = new ScriptedModel(({ messages }) => {
    // What was wrong is said behind the prompt.
    const prompt = (messages.at(-1)?.content ?? '').split('\n\nYour last answer')[0] ?? '';
    const series = answers.get(prompt) ?? [{ say: `on ${prompt}` }];
    const tried = messages.at(-1)?.content.includes('Your last answer') === true ? 1 : 0;
    return series[Math.min(tried, series.length - 1)] ?? { say: '' };
  });
  let time = 0;
  let lines = 0;
  const session = async (most: number, work: (store: RunStore, ports: RunPorts) => Promise<Begun>) => {
    let left = most;
    const dead = (): boolean => left <= 0;
    const watched = (log: RunLog): RunLog => ({
      append(line) {
        if (dead()) throw new Killed();
        log.append(line);
        lines += 1;
        left -= 1;
      },
      sync: () => (dead() ? Promise.reject(new Killed()) : log.sync()),
      close: () => log.close(),
    });
    const store: RunStore = {
      create: async (id) => watched(await runs.create(id)),
      open: async (id) => {
        const { lines: kept, log } = await runs.open(id);
        return { lines: kept, log: watched(log) };
      },
      read: (id) => runs.read(id),
      list: () => runs.list(),
      remove: (id) => runs.remove(id),
    };
    const ports: RunPorts = {
      files: new Proxy(files, {
        get(target, key) {
          if (dead()) throw new Killed();
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
      models: { nameOf: () => 'scripted/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } },
      ...{ tools: [], clock: { now: () => (time += 1) }, sha256 },
      wait: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    };
    try {
      return await work(store, ports);
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      throw error;
    }
  };
  const source = { playbook, config: {}, set: {}, overwrite: false };
  /** Raised each time that it stops a run; null: no limit. */
  let allowed = budget;
  const limits = (): Limits => (allowed === null ? {} : { model_calls: allowed });
  const isStopped = (of: Begun | string): boolean =>
    typeof of !== 'string' && of.state === 'begun' && of.end.state === 'stopped';
  let end = await session(kills[0] ?? Infinity, (store, ports) =>
    beginRun(source, store, ports, { id: 'r', seed: 1, limits: limits(), parallel: null, reuse: null }),
  );
  for (let next = 1; end === 'killed' || isStopped(end); next++) {
    const kept = pastOf((await runs.read('r')) ?? []).end;
    // It died with its last line: there is nothing left to do.
    if (end === 'killed' && kept !== null && kept.state !== 'stopped') break;
    if (allowed !== null && kept?.state === 'stopped') allowed += 2;
    end = await session(kills[next] ?? Infinity, (store, ports) =>
      resumeRun('r', store, ports, { limits: limits(), parallel: null }),
    );
  }
  const written = Object.fromEntries([...files.written].sort().map((path) => [path, files.all[path]]));
  /** Answers that the journal has of each unit. */
  const ended: Record<string, number> = {};
  for (const line of ((await runs.read('r')) ?? []) as { step: number; unit: number; entry?: { kind: string } }[])
    if (line.entry?.kind === 'model_ended' || line.entry?.kind === 'model_failed') {
      const unit = `${line.step}/${line.unit}`;
      ended[unit] = (ended[unit] ?? 0) + 1;
    }
  const done = new Set(
    (((await runs.read('r')) ?? []) as { kind: string; step: number; unit: number }[]).flatMap(
      ({ kind, step, unit }) => (kind === 'done' ? [`${step}/${unit}`] : []),
    ),
  );
  return { end, written, lines, ended, done };
}

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
        const bounded = await runOf(world, kills, budget);
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
