/** Settings that have several parts, changed at the same moment. */
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { readSettings, updateSetting } from '#adapters/browser/settings.ts';
import { openDatabase } from '#lanes/database.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

test('JOB-71 two parts of one setting that are changed at the same moment, in one tab or two, are both kept', async () => {
  const [one, two] = [openDatabase('settings'), openDatabase('settings')];
  await Promise.all([
    updateSetting(one, 'documents_more', (asked) => [...asked, 'openalex']),
    updateSetting(two, 'documents_more', (asked) => [...asked, 'pubmed']),
    updateSetting(one, 'playbooks_models', (models) => ({ ...models, small: 'ollama/a' })),
    updateSetting(two, 'playbooks_models', (models) => ({ ...models, large: 'ollama/b' })),
  ]);
  const { documents_more, playbooks_models } = await readSettings(one);
  expect(documents_more.toSorted()).toEqual(['openalex', 'pubmed']);
  expect(playbooks_models).toEqual({ small: 'ollama/a', large: 'ollama/b' });
  two.close();
  await one.delete();
});
