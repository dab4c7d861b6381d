import { expect, test } from 'vitest';
import { missingPermission } from '#ui/ingest/missing-permission.ts';

const ok = { state: 'ok' } as const;
const account = (...scopes: string[]) => ({ name: 'Ada', scopes });

test('UI-145 what is missing, who gives it and what goes on all the same is said where something is missing, and only there', () => {
  for (const scopes of [['Work'], ['EditCatalog'], ['Admin'], ['ReadCatalog', 'EditCatalog']])
    expect(missingPermission(ok, account(...scopes), true)).toBeNull();
  // Nothing is known against it, or nobody is there to say: other words are for that.
  expect(missingPermission(ok, null, true)).toBeNull();
  expect(missingPermission({ state: 'offline' }, account('ReadCatalog'), true)).toBeNull();

  const reader = missingPermission(ok, account('ReadCatalog'), true);
  expect(reader?.what).toContain('Signed in as Ada');
  expect(reader?.what).toContain('EditCatalog');
  expect(reader?.remedy).toContain('administrator');
  expect(reader?.goesOn).toMatch(/matched and converted here.*exported/);
  const refused = missingPermission({ state: 'unauthorized' }, null, false);
  expect(refused?.what).toContain('does not let this browser in');
  expect(refused?.goesOn).toMatch(/kept here.*once the catalog/);
});

test('UI-343 who opened a link that is not good reads that at the place of drops, with where a new one comes from', () => {
  const refused = missingPermission({ state: 'unauthorized' }, null, true, true);
  expect(refused?.what).toContain('link that was opened is not good any more');
  expect(refused?.remedy).toContain('accession -- link');
  expect(refused?.signIn).toBe(true);
  // Who is signed in all the same is told by the frame of the page, and nothing is missing.
  expect(missingPermission({ state: 'ok' }, account('EditCatalog'), true, true)).toBeNull();
  expect(missingPermission({ state: 'ok' }, account('ReadCatalog'), true, true)?.signIn).toBe(false);
});
