/** One case of the language, through the reader and the runner that everybody uses (`accession playbook cases`). */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { messageOf } from '#core/errors.ts';
import { beginRun, resumeRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunLog, RunNews, RunPorts, RunStore } from '#lanes/playbooks/core/run/ports.ts';
import { PlaybookFault } from '#lanes/playbooks/core/faults.ts';
import { readConfig } from '#lanes/playbooks/core/read/playbook.ts';
import { readYaml } from '#lanes/playbooks/core/read/yaml.ts';
import { ConfigValues } from '#lanes/playbooks/core/tokens/config-values.ts';
import { expandText } from '#lanes/playbooks/core/tokens/expand.ts';
import { scopeOf, type Frame } from '#lanes/playbooks/core/tokens/scopes.ts';
import { isMapping, mappingOf, type Mapping, type Value } from '#lanes/playbooks/core/value.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { CaseModel, type CaseAnswers } from './case-model.ts';

const SaidShape = v.union([v.string(), v.object({ fail: v.string() })]);
const ExpandShape = v.object({
  id: v.string(),
  kind: v.literal('expand'),
  template: v.string(),
  config: v.record(v.string(), v.unknown()),
  unit: v.optional(v.unknown(), null),
});
const RunShape = v.object({
  id: v.string(),
  kind: v.literal('run'),
  playbook: v.string(),
  config: v.optional(v.nullable(v.string()), null),
  set: v.optional(v.record(v.string(), v.unknown()), {}),
  overwrite: v.optional(v.boolean(), false),
  files: v.optional(v.record(v.string(), v.string()), {}),
  answers: v.optional(v.record(v.string(), v.array(v.union([SaidShape, v.array(SaidShape)]))), {}),
  faults: v.optional(
    v.object({ kill_after_calls: v.optional(v.number()), cancel_after_calls: v.optional(v.number()) }),
    {},
  ),
  resume: v.optional(v.boolean(), false),
});
export const CaseShape = v.variant('kind', [ExpandShape, RunShape]);
type RunCase = v.InferOutput<typeof RunShape>;

export async function answerCase(row: unknown): Promise<Record<string, unknown>> {
  const one = v.parse(CaseShape, row);
  return { id: one.id, ...(one.kind === 'expand' ? expanded(one) : await runCase(one)) };
}

function expanded({ template, config, unit }: v.InferOutput<typeof ExpandShape>): Record<string, unknown> {
  try {
    const scope = scopeOf({
      config: new ConfigValues(mappingOf(Object.entries(config as Mapping))),
      unit: frameOf(unit as Value),
    });
    return { value: expandText(template, scope) };
  } catch (error) {
    if (error instanceof PlaybookFault) return { error: error.code };
    throw error;
  }
}

function frameOf(unit: Value): Frame | null {
  if (!isMapping(unit)) return null;
  const { this: value = null, i = 0, file = null, parent = null } = unit;
  return {
    value,
    i: typeof i === 'number' ? i : 0,
    file: typeof file === 'string' ? file : null,
    parent: frameOf(parent),
  };
}

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

/** What a kill leaves: every use of the store after it fails. */
class Killed extends Error {}

async function runCase(one: RunCase): Promise<Record<string, unknown>> {
  const model = new CaseModel(one.answers as CaseAnswers);
  const files = new MemoryFiles(one.files, sha256);
  const runs = new MemoryRuns();
  const prompts = new Map<string, Extract<RunNews, { kind: 'asked' }>>();
  const { kill_after_calls: kill, cancel_after_calls: cancel } = one.faults;
  const answered = { count: 0 };
  let time = 1_700_000_000_000;

  const portsOf = (signal: AbortSignal, dead: () => boolean): RunPorts => ({
    files: new Proxy(files, {
      get(target, key) {
        if (dead()) throw new Killed();
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
    models: {
      nameOf: (name) => `scripted/${name ?? 'case'}`,
      open: (_name, of) => Promise.resolve(model.provider(of)),
      price: { in: 0, out: 0 },
    },
    tools: [],
    clock: { now: () => (time += 1) },
    sha256,
    wait: (_milliseconds, stop) =>
      new Promise((resolve) => {
        if (stop?.aborted === true) resolve();
        stop?.addEventListener('abort', () => resolve());
      }),
    signal,
    said: (news) => {
      if (news.kind !== 'asked') return;
      const key = JSON.stringify([news.step, news.unit]);
      if (!prompts.has(key)) prompts.set(key, news);
    },
  });

  /** One process: it dies, or is cancelled, when the N-th answer is in the journal. */
  const session = async (work: (store: RunStore, ports: RunPorts) => Promise<Begun>): Promise<Begun | 'killed'> => {
    const stop = new AbortController();
    let dead = false;
    const watched = (log: RunLog): RunLog => ({
      append(line) {
        if (dead) throw new Killed();
        log.append(line);
        if (!isAnswer(line)) return;
        answered.count += 1;
        if (answered.count === kill) dead = true;
        if (answered.count === cancel) stop.abort();
      },
      sync: () => (dead ? Promise.reject(new Killed()) : log.sync()),
      close: () => log.close(),
    });
    const store: RunStore = {
      create: async (id) => watched(await runs.create(id)),
      async open(id) {
        const { lines, log } = await runs.open(id);
        return { lines, log: watched(log) };
      },
      read: (id) => runs.read(id),
      list: () => runs.list(),
      remove: (id) => runs.remove(id),
    };
    try {
      return await work(
        store,
        portsOf(stop.signal, () => dead),
      );
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      throw error;
    }
  };

  let config: Mapping;
  try {
    config = one.config === null ? {} : readConfig(one.config);
  } catch (error) {
    if (!(error instanceof PlaybookFault)) throw error;
    return {
      state: 'refused',
      calls: 0,
      error: { code: error.code, key: error.key, step: null },
      skipped: [],
      prompts: [],
      files: {},
    };
  }
  const set = mappingOf(
    Object.entries(one.set).map(([key, value]) => [key, typeof value === 'string' ? asYaml(value) : (value as Value)]),
  );
  const source = { playbook: one.playbook, config, set, overwrite: one.overwrite };
  const resume = (): Promise<Begun | 'killed'> =>
    session((store, ports) => resumeRun('case', store, ports, { limits: {}, parallel: null }));
  let end = await session((store, ports) =>
    beginRun(source, store, ports, { id: 'case', seed: 1, limits: {}, parallel: null, reuse: null }),
  );
  if (end === 'killed') end = await resume();
  if (one.resume && end !== 'killed' && end.state === 'begun' && end.end.state === 'failed') end = await resume();
  if (end === 'killed') throw new Error(`${one.id}: it was killed twice.`);

  const steps = [...prompts.values()];
  const order = [...new Set(steps.map(({ step }) => step))];
  const outcome = end.state === 'refused' ? { state: 'refused', error: end.faults[0] ?? null, skipped: [] } : end.end;
  const { error, skipped, state } = outcome;
  return {
    state,
    calls: model.calls,
    error: error === null ? null : { code: error.code, key: error.key, step: error.step },
    skipped: skipped.map(({ step, unit, code }) => ({ step, unit, code })),
    prompts: steps
      .sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step) || a.unit - b.unit)
      .map((news) => ({ step: news.step, unit: news.unit, model: news.model, system: news.system, user: news.user })),
    files: Object.fromEntries([...files.written].map((path) => [path, contentOf(path, files.all[path] ?? '')])),
  };
}

function isAnswer(line: unknown): boolean {
  if (typeof line !== 'object' || line === null || !('entry' in line)) return false;
  const { entry } = line;
  return typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'model_ended';
}

/** A value of `--set`, as the command line reads it. */
export function asYaml(text: string): Value {
  const read = readYaml(text, 64 * 1024);
  return read.ok ? read.value : text;
}

function contentOf(path: string, text: string): unknown {
  if (!path.endsWith('.json')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return `no JSON: ${messageOf(error)}`;
  }
}
