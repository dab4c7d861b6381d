import { expect, test } from 'vitest';
import { makeTinyGguf } from '../../fixtures/tiny-gguf.ts';
import { World } from './manager-world.ts';

test('MODEL-26 an account in an address is neither asked with nor kept', async () => {
  const world = new World([]);
  world.files.set('https://own.test/mine.gguf', makeTinyGguf({ name: 'Mine' }));
  const added = await world.tab().addGguf({ url: 'https://ada:sesame@own.test/mine.gguf' }, '');
  expect(added).toMatchObject({ ok: true, value: { name: 'Mine' } });
  expect(JSON.stringify([...world.rows.values(), ...world.asked, ...world.queries.values()])).not.toMatch(/ada|sesame/);
});
