import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CancelSignal } from '#core/cancel.ts';
import { failed } from '#core/errors.ts';
import { beginRun, resumeRun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunLog, RunStore } from '#lanes/playbooks/core/run/ports.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { ScriptedModel } from '../../fixtures/scripted-model.ts';

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

const storeOf = (runs: MemoryRuns): RunStore => ({
  create: (id) => runs.create(id),
  open: (id) => runs.open(id),
  read: (id) => runs.read(id),
  list: () => runs.list(),
  remove: (id) => runs.remove(id),
});

const BOOK = `playbook: 1
steps:
  - name: s
    input: in.json
    multiple_parts: true
    parallel: 3
    instruction_user_prompt: 'say {this}'
    output: o.json
`;

test('PLAYBOOK-11 PLAYBOOK-13 a call is on the disk before it is made, an answer before it is in a file, and the file is whole', async () => {
  const runs = new MemoryRuns();
  /** Lines that a sync has made durable. */
  const durable: string[] = [];
  const waiting: string[] = [];
  const watched = (log: RunLog): RunLog => ({
    append(line) {
      log.append(line);
      waiting.push(JSON.stringify(line));
    },
    async sync() {
      await log.sync();
      durable.push(...waiting.splice(0));
    },
    close: () => log.close(),
  });
  const store: RunStore = { ...storeOf(runs), create: async (id) => watched(await runs.create(id)) };
  const files = new MemoryFiles({ 'in.json': '["a","b","c","d","e"]' }, sha256);
  const seen: string[][] = [];
  const write = files.write.bind(files);
  files.write = (path, text) => {
    const records = JSON.parse(text) as string[];
    seen.push(records);
    for (const record of records)
      expect(
        durable.some((line) => line.includes('"written"') && line.includes(record)),
        record,
      ).toBe(true);
    return write(path, text);
  };
  const model = new ScriptedModel(({ messages }) => {
    const prompt = messages.at(-1)?.content ?? '';
    expect(durable.filter((line) => line.includes('"model_started"')).length).toBeGreaterThan(seenCalls++);
    return { say: prompt.replace('say', 'said') };
  });
  let seenCalls = 0;
  let time = 0;
  const end = await beginRun(
    { playbook: BOOK, config: {}, set: {}, overwrite: false },
    store,
    {
      ...{ files, tools: [], clock: { now: () => (time += 1) }, sha256 },
      models: { nameOf: () => 'scripted/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } },
      wait: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
    { id: 'r', seed: 1, limits: {}, parallel: null, reuse: null },
  );
  expect(end).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(seen.at(-1)).toEqual(['a', 'b', 'c', 'd', 'e'].map((one) => `said ${one}`));
  // What stood in the file stays in it.
  for (const [at, records] of seen.entries())
    expect(records.slice(0, seen[at - 1]?.length ?? 0)).toEqual(seen[at - 1] ?? []);
});

test('PLAYBOOK-34 one unit after the other waits for the disk once: its end and the begin of the next reach it together', async () => {
  const runs = new MemoryRuns();
  let waits = 0;
  const slow = (log: RunLog): RunLog => {
    let waiting: Promise<void> | null = null;
    return {
      append: (line) => log.append(line),
      sync() {
        waiting ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          waits += 1;
          waiting = null;
        });
        return waiting;
      },
      close: () => log.close(),
    };
  };
  const store = { ...storeOf(runs), create: async (id: string) => slow(await runs.create(id)) };
  const files = new MemoryFiles({ 'in.json': JSON.stringify(Array.from({ length: 40 }, (_, n) => n)) }, sha256);
  const model = new ScriptedModel([{ say: 'yes' }]);
  let time = 0;
  const end = await beginRun(
    { playbook: BOOK.replace('parallel: 3', 'parallel: 1'), config: {}, set: {}, overwrite: false },
    store,
    {
      ...{ files, tools: [], clock: { now: () => (time += 1) }, sha256 },
      models: { nameOf: () => 'scripted/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } },
      wait: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
    { id: 'r', seed: 1, limits: {}, parallel: null, reuse: null },
  );
  expect(end).toMatchObject({ end: { state: 'completed' } });
  expect(waits).toBeGreaterThan(40);
  expect(waits).toBeLessThan(40 + 8);
});

test('PLAYBOOK-78 a disk that is full ends the session with what to free; when there is room the run goes on, and asks for nothing that its journal has', async () => {
  const runs = new MemoryRuns();
  const files = new MemoryFiles({ 'in.json': '["a","b","c","d","e"]' }, sha256);
  const write = files.write.bind(files);
  let writes = 0;
  let isFull = true;
  files.write = (path, text) => {
    writes += 1;
    if (isFull && writes >= 3)
      return Promise.reject(failed('storage_full', 'There is no space left.', { remedy: 'Free space, then resume.' }));
    return write(path, text);
  };
  const model = new ScriptedModel(({ messages }) => ({ say: `said ${messages.at(-1)?.content ?? ''}` }));
  const ports = {
    ...{ files, tools: [], clock: { now: () => 0 }, sha256 },
    models: { nameOf: () => 'scripted/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } },
    wait: (_ms: number, signal: CancelSignal | undefined) =>
      new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
  };
  const source = { playbook: BOOK.replace('parallel: 3', 'parallel: 1'), config: {}, set: {}, overwrite: false };
  const begun = beginRun(source, runs, ports, { id: 'r', seed: 1, limits: {}, parallel: null, reuse: null });
  await expect(begun).rejects.toMatchObject({ failure: { code: 'storage_full', remedy: 'Free space, then resume.' } });
  const kept = JSON.parse(files.all['o.json'] ?? '[]') as string[];
  expect(kept.length).toBeGreaterThan(0);
  isFull = false;
  const done = await resumeRun('r', runs, ports, { limits: {}, parallel: null });
  expect(done).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(JSON.parse(files.all['o.json'] ?? '')).toEqual(['a', 'b', 'c', 'd', 'e'].map((one) => `said say ${one}`));
  // A call that was under way when there was no room for its answer is the only one that is made again.
  expect(model.requests.length).toBeLessThanOrEqual(6);
});
