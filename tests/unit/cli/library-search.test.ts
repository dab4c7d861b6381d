import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { cli } from '#lanes/library/cli/lane-cli.ts';
import { indexCommand } from '#lanes/library/cli/index-folder.ts';
import { searchStore } from '#lanes/library/cli/search-store.ts';
import { migrations } from '#lanes/library/server/tables.ts';
import { openStore } from '#server/store/store.ts';
import { startEmbeddingServer } from '../../fixtures/embedding-server.ts';
import { searchQuestions } from '#lanes/library/cli/search-questions.ts';

const WORDS = { profile: 'bm25', embedder: null } as const;

test('LIBRARY-57 index DIR keeps a library in the data directory, search answers each question with places in code points, links are left out', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const [folder, data] = [join(dir, 'notes'), join(dir, 'data')];
  await mkdir(join(folder, 'deep'), { recursive: true });
  await writeFile(join(folder, 'boats.md'), '🛶🛶 Canoes. The harbour of Brill was dug in 1871. Nobody swims.\n');
  await writeFile(join(folder, 'deep', 'nets.txt'), 'Nets are mended in winter.\n');
  await symlink(folder, join(folder, 'circle'));
  const said: string[] = [];
  const flags = { data, cancel: new AbortController().signal, say: (line: string) => void said.push(line) };
  await indexCommand(folder, flags);
  await indexCommand(folder, flags);
  expect(said).toEqual([
    '2 files with 2 chunks are in the library; 2 of them were read now',
    'left out: 1 link',
    '2 files with 2 chunks are in the library; 0 of them were read now',
    'left out: 1 link',
  ]);

  const [questions, out] = [join(dir, 'questions.jsonl'), join(dir, 'out.jsonl')];
  await writeFile(questions, '{"id":"q1","question":"When was the harbour dug?"}\n{"id":"q2","question":"zeppelin"}\n');
  const found = await searchQuestions({ ...flags, ...WORDS, questions, library: folder, out, k: 5 });
  expect(found).toEqual({ questions: 2, passages: 1 });
  const [one, two] = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(two).toEqual({ id: 'q2', docs: [] });
  const [doc] = (one as { docs: { path: string; start: number; end: number; text: string }[] }).docs;
  const points = [...(await readFile(join(folder, 'boats.md'), 'utf8'))];
  expect(doc?.path).toBe('boats.md');
  expect(points.slice(doc?.start, doc?.end).join('')).toBe(doc?.text);
  expect(doc?.text).toContain('dug in 1871');
  await expect(indexCommand(join(dir, 'nowhere'), flags)).rejects.toMatchObject({ failure: { code: 'not_found' } });
});

test('LIBRARY-58 without a model for embeddings the profiles vector and hybrid answer as bm25 and say so', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const folder = join(dir, 'notes');
  await mkdir(folder);
  await writeFile(join(folder, 'boats.md'), 'The harbour of Brill was dug in 1871.\n');
  const questions = join(dir, 'questions.jsonl');
  await writeFile(questions, '{"id":"q1","question":"When was the harbour dug?"}\n');
  const answers: string[] = [];
  const said: string[] = [];
  for (const profile of ['bm25', 'vector', 'hybrid']) {
    const out = join(dir, `${profile}.jsonl`);
    const flags = ['--questions', questions, '--library', folder, '--out', out, '--data', join(dir, 'data')];
    await runCommand(['search', ...flags, '--profile', profile], said);
    answers.push(await readFile(out, 'utf8'));
  }
  expect(answers[0]).toContain('dug in 1871');
  expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
  expect(said.filter((line) => line.startsWith('No model'))).toEqual([
    'No model for vectors is set up: "vector" is answered as bm25.',
    'No model for vectors is set up: "hybrid" is answered as bm25.',
  ]);
});

/** As the command line runs it. */
async function runCommand(args: readonly string[], said: string[]): Promise<void> {
  const program = new Command();
  const unused = () => Promise.reject(new Error('not asked for'));
  const frame = {
    openModel: unused,
    loadFolders: unused,
    withPlans: unused,
    withLibrary: unused,
    withGuides: unused,
    stepTools: unused,
    onStop: () => undefined,
  };
  for (const { register } of cli.commands) register(program, { ...frame, say: (line) => void said.push(line) });
  await program.parseAsync(args, { from: 'user' });
}

test('LIBRARY-95, LIBRARY-96 index and search with a model for embeddings: vectors are made once, another model makes them anew', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const [folder, data, out] = [join(dir, 'notes'), join(dir, 'data'), join(dir, 'out.jsonl')];
  await mkdir(folder);
  await writeFile(join(folder, 'a.txt'), 'kettle kettle kettle\n');
  await writeFile(join(folder, 'b.txt'), 'lantern, and a kettle far away\n');
  const questions = join(dir, 'questions.jsonl');
  await writeFile(questions, '{"id":"q1","question":"lantern"}\n');
  const server = await startEmbeddingServer();
  const model = (name: string) => [
    ...['--embedding-provider', 'ollama', '--embedding-model', name, '--embedding-url', server.url, '--data', data],
  ];
  const search = ['search', '--questions', questions, '--library', folder, '--out', out, '--profile'];
  const said: string[] = [];
  try {
    await runCommand(['index', folder, ...model('one')], said);
    expect(said.at(-1)).toBe('2 of 2 passages have a vector of ollama/one');
    await runCommand([...search, 'vector', ...model('one')], said);
    expect(server.asked).toHaveLength(2);
    const { docs } = JSON.parse(await readFile(out, 'utf8')) as { docs: { path: string; score: number }[] };
    // Both are near or far, where words would have found one.
    expect(docs.map(({ path }) => path)).toEqual(['b.txt', 'a.txt']);
    await runCommand([...search, 'hybrid', ...model('two')], said);
    expect(server.asked.map((texts) => texts.length)).toEqual([2, 1, 2, 1]);
    await expect(runCommand(['index', folder, '--embedding-provider', 'ollama', '--data', data], said)).rejects.toThrow(
      'Vectors need --embedding-model.',
    );
  } finally {
    await server.close();
  }
});

test("LIBRARY-80 search --store answers from the catalog's database what the library of the folder answers", async () => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  const folder = join(dir, 'notes');
  await mkdir(folder);
  await writeFile(join(folder, 'boats.md'), '# 🛶 Brill\n\nThe harbour of Brill was dug in 1871. Boats lie there.\n');
  await writeFile(join(folder, 'nets.md'), 'Nets are mended in winter.\n');
  const questions = join(dir, 'questions.jsonl');
  await writeFile(questions, '{"id":"q1","question":"When was the harbour dug?"}\n{"id":"q2","question":"nets"}\n');
  const store = await openStore(sqliteFile(join(dir, 'catalog.db')), () => 'id', [{ migrations }]);
  const library = { folders: [], agents: join(dir, 'agents'), everyMs: 60_000, mostFiles: 100 };
  const stop = new AbortController().signal;
  const flags = { questions, library: folder, k: 3, profile: 'bm25', say: () => undefined, data: dir } as const;
  await searchQuestions({ ...flags, out: join(dir, 'here'), embedder: null, cancel: stop });
  const asked = { ...flags, out: join(dir, 'store'), store: 'sqlite', stop };
  expect(await searchStore({ store, library, embedder: null }, asked)).toEqual({ questions: 2, passages: 2 });
  const said = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  expect(said(await readFile(join(dir, 'store'), 'utf8'))).toEqual(said(await readFile(join(dir, 'here'), 'utf8')));
  await expect(searchStore({ store, library, embedder: null }, { ...asked, store: 'postgres' })).rejects.toThrow(
    'SQLite',
  );
  await store.close();
});
