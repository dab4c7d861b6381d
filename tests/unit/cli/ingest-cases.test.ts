import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ingestCases } from '#lanes/library/cli/ingest-cases.ts';
import { ingestReplies } from '#lanes/library/cli/ingest-replies.ts';

test('LIBRARY-9 ingest --cases answers each file with its agent and its chunks', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-'));
  const [cases, out] = [join(dir, 'cases.jsonl'), join(dir, 'out.jsonl')];
  await writeFile(cases, '{"id":"a","path":"x/a.txt","text":"One.\\n\\nTwo."}\n{"id":"b","ext":"txt","text":""}\n');
  expect(await ingestCases({ cases, out })).toEqual({ files: 2, chunks: 2, warnings: [] });
  const [a, b] = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(a).toMatchObject({ id: 'a', agentId: 'text-ingester', chunks: [{ filePath: 'x/a.txt', text: 'One.' }, {}] });
  expect(b).toEqual({ id: 'b', agentId: 'text-ingester', chunks: [] });
});

test('LIBRARY-9 agents of a folder read as well, and a bad one is said', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-'));
  const [cases, out] = [join(dir, 'cases.jsonl'), join(dir, 'out.jsonl')];
  await writeFile(cases, '{"id":"a","path":"a.xyz","text":"turn it"}\n');
  await writeFile(join(dir, 'x.md'), '---\nname: Own\ncapabilities: [ingest:xyz]\n---\nSay what is there.');
  await writeFile(join(dir, 'y.md'), '# No agent\n');
  const reply = JSON.stringify([{ text: 'turn it', chunkType: 'function', symbolName: 'turn' }]);
  const read = await ingestCases({
    cases,
    out,
    agents: dir,
    ask: () => Promise.resolve({ text: reply, finish: 'stop' }),
  });
  expect(read.warnings).toEqual(['y.md, line 1: it has no capability, such as ingest:lisp']);
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ agentId: 'own', chunks: [{ symbolName: 'turn' }] });
});

test('LIBRARY-21 ingest --replies keeps of a reply what is in the file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-'));
  const [replies, out] = [join(dir, 'replies.jsonl'), join(dir, 'out.jsonl')];
  const chunk = { text: 'let a = 1', chunkType: 'variable', symbolName: 'a', startLine: 1, endLine: 1 };
  const row = { path: 'a.pas', text: 'let a = 1\n', finish: 'stop' };
  const rows = [
    { id: 'good', ...row, reply: JSON.stringify([chunk, { ...chunk, text: 'no', symbolName: 'b' }]) },
    { id: 'cut', ...row, reply: JSON.stringify([chunk]), finish: 'length' },
  ];
  await writeFile(replies, rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
  expect(await ingestReplies({ replies, out })).toEqual({ files: 2, failed: 1 });
  const [good, cut] = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(good).toMatchObject({
    id: 'good',
    agent_ok: true,
    refused: 1,
    chunks: [{ symbolName: 'a', chunkType: 'field' }],
  });
  expect(cut).toMatchObject({ id: 'cut', agent_ok: false, chunks: [{ chunkType: 'text' }] });
});
