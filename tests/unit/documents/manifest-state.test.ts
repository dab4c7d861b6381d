import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rewriteManifest } from '#lanes/documents/core/manifest/manifest-store.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';
import { documentWorld, DOI, paper, work } from '../../fixtures/document-world.ts';
import { manifestEntry } from '../../fixtures/manifest-entry.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

test('DOCUMENT-70 beside the manifest stands of each written record its CSL-JSON, its source and the evidence; undo takes it away', async () => {
  await using it = await documentWorld({ 'a.pdf': paper(1, 'Counting the rivers') }, [work(1, 'Counting the rivers')]);
  await it.scan();
  const state = async () =>
    JSON.parse(await readFile(it.manifest.replace('.json', '.state.json'), 'utf8')) as {
      written: Record<string, string>;
      documents: Record<string, object>;
    };
  const [entry] = (await it.kept()).entries;
  const id = String(entry?.['id']);
  const { written, documents } = await state();
  expect(Object.values(written)).toEqual([id]);
  expect(documents[id]).toMatchObject({
    csl: { id, type: 'article-journal', title: 'Counting the rivers', DOI: DOI(1) },
    source: 'crossref',
    evidence: [{ field: 'doi', value: DOI(1), page: 1 }],
  });
  expect(await it.undo()).toBe(0);
  expect((await state()).documents).toEqual({});
});

test('DOCUMENT-71 the manifest is read and replaced under a lock: of twenty writers at once nobody loses an entry', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.root, 'manifest.json');
  // Each has a store of its own, as programs have.
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      rewriteManifest(manifestFiles(file), ({ entries, ...rest }) => ({
        ...rest,
        entries: [...entries, manifestEntry({ id: String(n) })],
      })),
    ),
  );
  const { entries } = JSON.parse(await readFile(file, 'utf8')) as { entries: { id: string }[] };
  expect(entries.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
});
