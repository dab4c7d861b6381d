/** Random playbooks whose processes are killed when their journal has so many lines more. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Limits } from '#lanes/playbooks/core/check/step-values.ts';
import { pastOf } from '#lanes/playbooks/core/run/past.ts';
import { beginRun, resumeRun, type BeginOptions, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunLog, RunPorts, RunStore } from '#lanes/playbooks/core/run/ports.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { ScriptedModel, type Said } from '../../fixtures/scripted-model.ts';

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

export interface World {
  playbook: string;
  files: Record<string, string>;
  /** By prompt: what is said, a try each. */
  answers: Map<string, Said[]>;
}

const output = fc.constantFrom('o.json', 'o.jsonl', 'o.csv', 'o.md', 'o/{this::k}.json', 'o/{this::k}.jsonl');
export const worldOf = fc
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

/** A run that went before, from which units are taken over. */
export interface TakenOver {
  /** Its files, where they were others. */
  files: Record<string, string>;
  again: NonNullable<BeginOptions['again']>;
}

/** A world's run, each process of it killed when its journal has so many lines more; the lines that it has at the end. */
export async function runOf(
  { playbook, files: given, answers }: World,
  kills: number[],
  { budget = null, over = null }: { budget?: number | null; over?: TakenOver | null } = {},
) {
  const files = new MemoryFiles(over?.files ?? given, sha256);
  const runs = new MemoryRuns();
  const model = new ScriptedModel(({ messages }) => {
    // What was wrong is said behind the prompt.
    const prompt = (messages.at(-1)?.content ?? '').split('\n\nYour last answer')[0] ?? '';
    const series = answers.get(prompt) ?? [{ say: prompt.startsWith('s ') ? '["=of before"]' : `on ${prompt}` }];
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
  const fresh = { seed: 1, limits: {}, parallel: null, reuse: null };
  if (over !== null) {
    await session(Infinity, (store, ports) => beginRun(source, store, ports, { ...fresh, id: 'before' }));
    for (const [path, text] of Object.entries(given)) await files.write(path, text);
    lines = 0;
  }
  const taking = over === null ? {} : { reuse: 'before', again: over.again };
  /** Raised each time that it stops a run; null: no limit. */
  let allowed = budget;
  const limits = (): Limits => (allowed === null ? {} : { model_calls: allowed });
  const isStopped = (of: Begun | string): boolean =>
    typeof of !== 'string' && of.state === 'begun' && of.end.state === 'stopped';
  let end = await session(kills[0] ?? Infinity, (store, ports) =>
    beginRun(source, store, ports, { ...fresh, id: 'r', limits: limits(), ...taking }),
  );
  for (let next = 1; end === 'killed' || isStopped(end); next++) {
    const kept = pastOf((await runs.read('r')) ?? []).end;
    // It died with its last line: there is nothing left to do.
    if (end === 'killed' && kept !== null && kept.state !== 'stopped') break;
    // More each time: what failed is asked anew by each resume and uses the limit up.
    if (allowed !== null && kept?.state === 'stopped') allowed += 2 + Math.floor(next / 8);
    end = await session(kills[next] ?? Infinity, (store, ports) =>
      resumeRun('r', store, ports, { limits: limits(), parallel: null }),
    );
  }
  const written = Object.fromEntries([...files.written].sort().map((path) => [path, files.all[path]]));
  const journal = ((await runs.read('r')) ?? []) as {
    kind: string;
    step: number;
    unit: number;
    entry?: { kind: string };
  }[];
  /** Answers that the journal has of each unit. */
  const ended: Record<string, number> = {};
  const [done, taken, asked] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { kind, step, unit, entry } of journal) {
    const of = `${step}/${unit}`;
    if (entry?.kind === 'model_ended' || entry?.kind === 'model_failed') ended[of] = (ended[of] ?? 0) + 1;
    if (entry?.kind === 'model_started') asked.add(of);
    if (kind === 'done') done.add(of);
    if (kind === 'taken') taken.add(of);
  }
  return { end, written, lines, ended, done, taken, asked };
}
