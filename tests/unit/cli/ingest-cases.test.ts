import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ingestCases } from '#lanes/library/cli/ingest-cases.ts';

test('LIBRARY-9 ingest --cases answers each file with its agent and its chunks', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ingest-'));
  const [cases, out] = [join(dir, 'cases.jsonl'), join(dir, 'out.jsonl')];
  await writeFile(cases, '{"id":"a","path":"x/a.txt","text":"One.\\n\\nTwo."}\n{"id":"b","ext":"txt","text":""}\n');
  expect(await ingestCases({ cases, out })).toEqual({ files: 2, chunks: 2 });
  const [a, b] = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(a).toMatchObject({ id: 'a', agentId: 'text-ingester', chunks: [{ filePath: 'x/a.txt', text: 'One.' }, {}] });
  expect(b).toEqual({ id: 'b', agentId: 'text-ingester', chunks: [] });
});
