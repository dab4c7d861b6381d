import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createModelQueryStore } from '#adapters/browser/token.ts';
import { ModelService } from '#adapters/models/model-service.ts';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import { openDatabase } from '#lanes/database.ts';
import { makeTinyGguf } from '../../fixtures/tiny-gguf.ts';
import { World } from './manager-world.ts';

test('MODEL-15: an engine calls a model of the person by its name', async () => {
  const world = new World([]);
  const named: string[] = [];
  const no = async (): Promise<Result<never>> => fail(failure('model_missing', 'not asked'));
  const service = new ModelService({
    ...world.ports(),
    openGguf: async ({ id }) => {
      named.push(id);
      return fail(failure('model_damaged', `The model "${id}" cannot be loaded.`));
    },
    openWebllm: no,
    provider: no,
  });
  const added = await service.addGguf({ file: new File([makeTinyGguf()], 'local.gguf') }, 'Mine');
  const id = added.ok ? added.value.id : '';
  await service.load({ engine: 'wllama', id, contextLength: 2048 });
  expect(named).toEqual(['Mine']);
});

test('MODEL-17: the query of an address is not in the database as it is', async () => {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  const store = createModelQueryStore(db, 'own-1');
  await store.set('?token=sesame');
  expect(await store.get()).toBe('?token=sesame');
  expect(JSON.stringify(await db.meta.toArray())).not.toContain('sesame');
  await store.clear();
  expect(await store.get()).toBeNull();
});
