/** Free code in a playbook: what a person agrees to, at the terminal and in a browser. */
import { createHash } from 'node:crypto';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Result } from '#core/result.ts';
import type { CageJob } from '#core/toolbox/cage.ts';
import { openDatabase } from '#lanes/database.ts';
import { createPlaybookService } from '#lanes/playbooks/browser/playbook-service.ts';
import { beginRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import { toolboxTools } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { ScriptedModel, type Said } from '../fixtures/scripted-model.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const sha256 = (text: string): Promise<string> => Promise.resolve(hashOf(text));

/** What reached the cage. */
let jobs: CageJob[] = [];
const cage = {
  run: (job: CageJob) => {
    jobs.push(job);
    return Promise.resolve({
      ok: true as const,
      value: { value: { value: 3, output: '', figures: [] }, versions: ['E 1'] },
    });
  },
  close: () => undefined,
};
beforeEach(() => (jobs = []));

// Braces of R that are tokens elsewhere, and one that would be a token.
const CODE = 'f <- function(x) {sum}\nf(data)(unlist(data)) # {config:who} {this::name}';
const BOOK = `playbook: 1
name: code
config:
  defaults: { who: me }
steps:
  - name: count
    tool: r_run
    with: { code: ${JSON.stringify(CODE)}, data: ["{config:who}"] }
    output: counted.json
`;
const TELL = `playbook: 1
name: tell
steps:
  - name: tell
    model: small
    agent: { enabled: true, tools: [r_run] }
    max_requery_iterations: 2
    instruction_user_prompt: Count.
    output: told.md
`;

async function run(
  text: string,
  agreed: readonly string[],
  said: readonly Said[] = [],
): Promise<{ begun: Begun; model: ScriptedModel }> {
  // prettier-ignore
  const model = new ScriptedModel(said);
  const begun = await beginRun(
    { playbook: text, config: {}, set: {}, overwrite: false },
    new MemoryRuns(),
    {
      ...{ files: new MemoryFiles({}, sha256), sha256, wait: () => Promise.resolve(), clock: { now: () => 0 } },
      models: { nameOf: () => 'ollama/m', price: { in: 0, out: 0 }, open: () => Promise.resolve(model) },
      tools: toolboxTools({ cage, agreedCode: new Set(agreed) }),
    },
    { id: 'a', seed: 1, limits: {}, parallel: null, reuse: null },
  );
  return { begun, model };
}

test('TOOLBOX-82 code of a step runs where a person agreed to its hash, as it stands; its data are expanded', async () => {
  const refused = await run(BOOK, [hashOf(`${CODE} `)]);
  expect(refused.begun).toMatchObject({
    state: 'refused',
    faults: [{ code: 'code_unagreed', step: 'count', message: expect.stringContaining(hashOf(CODE)) as string }],
  });
  expect(jobs).toEqual([]);
  const { begun } = await run(BOOK, [hashOf(CODE)]);
  expect(begun).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(jobs).toMatchObject([{ runtime: 'r', data: { code: CODE, data: ['me'] }, free: true }]);
});

test('TOOLBOX-82 a step without code is said with its place', async () => {
  const { begun } = await run(BOOK.replace(/code: "[^\n]*?", data/, 'data'), [hashOf(CODE)]);
  expect(begun).toMatchObject({ state: 'refused', faults: [{ code: 'playbook_value', step: 'count' }] });
});

test('TOOLBOX-82 what a model writes runs only where a person agreed to that very code', async () => {
  const call = { say: JSON.stringify({ call: 'r_run', input: { code: '1 + 2' } }) };
  const said = [call, { say: 'There are [[r1.value]].' }, { say: 'There are some.' }];
  const refused = await run(TELL, [], said);
  expect(jobs).toEqual([]);
  expect(refused.model.requests.at(-1)?.messages.map(({ content }) => content).join('\n')).toContain(hashOf('1 + 2')); // prettier-ignore
  expect((await run(TELL, [hashOf('1 + 2')], said)).begun).toMatchObject({ end: { state: 'completed' } });
  expect(jobs).toMatchObject([{ runtime: 'r', data: { code: '1 + 2' } }]);
});

test('TOOLBOX-83 in a browser a person agrees to a hash once: another text around it changes nothing, other code is asked about', async () => {
  const db = openDatabase();
  onTestFinished(async () => {
    db.close();
    await db.delete();
  });
  let n = 0;
  const playbooks = createPlaybookService({
    ...{ db, sha256, ids: { next: () => `id${(n += 1)}` }, clock: { now: () => 0 } },
    ...{ stepTools: () => Promise.resolve([]), openCage: () => cage },
    net: { ask: () => Promise.reject(new Error('the network was reached')) },
    timers: { set: () => 0, clear: () => undefined },
    lock: () => Promise.resolve(() => undefined),
    server: () => Promise.resolve({ baseUrl: 'http://127.0.0.1:9', token: () => Promise.resolve('') }),
    models: () => Promise.reject(new Error('no model is set up')),
  } as never);
  const value = async <T>(asked: Promise<Result<T>>): Promise<T> => {
    const answer = await asked;
    if (!answer.ok) throw new Error(answer.failure.message);
    return answer.value;
  };
  const book = await value(playbooks.add('code', BOOK));
  const check = async () => value(playbooks.check(book, 'recorded'));
  expect(await check()).toMatchObject({ code: [{ step: 'count', code: CODE, sha256: hashOf(CODE), agreed: false }], faults: [{ code: 'code_unagreed' }] }); // prettier-ignore
  await playbooks.agreeCode(book, hashOf(CODE), true);
  expect(await check()).toMatchObject({ code: [{ agreed: true }], faults: [] });
  await playbooks.save(book, { text: BOOK.replace('name: code', 'name: another') });
  expect(await check()).toMatchObject({ code: [{ agreed: true }], faults: [] });
  await playbooks.save(book, { text: BOOK.replace('(unlist(data))', '(1)') });
  expect(await check()).toMatchObject({ code: [{ agreed: false }], faults: [{ code: 'code_unagreed' }] });
  await playbooks.save(book, { text: BOOK });
  await playbooks.agreeCode(book, hashOf(CODE), false);
  expect(await check()).toMatchObject({ code: [{ agreed: false }] });
});
