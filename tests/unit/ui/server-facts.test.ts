import { expect, test } from 'vitest';
import { missingPermission } from '#ui/shell/server-facts-words.ts';

const ok = { state: 'ok', message: null } as const;
const account = (...scopes: string[]) => ({ name: 'Ada', scopes });

test('UI-145 what is missing, who gives it and what goes on all the same is said where something is missing, and only there', () => {
  for (const scopes of [['Work'], ['EditCatalog'], ['Admin'], ['ReadCatalog', 'EditCatalog']])
    expect(missingPermission(ok, account(...scopes), true)).toBeNull();
  // Nothing is known against it, or nobody is there to say: other words are for that.
  expect(missingPermission(ok, null, true)).toBeNull();
  expect(missingPermission({ state: 'offline', message: 'x' }, account('ReadCatalog'), true)).toBeNull();

  const reader = missingPermission(ok, account('ReadCatalog'), true);
  expect(reader?.what).toContain('Signed in as Ada');
  expect(reader?.what).toContain('EditCatalog');
  expect(reader?.remedy).toContain('administrator');
  expect(reader?.goesOn).toMatch(/matched and converted here.*exported/);
  const refused = missingPermission({ state: 'unauthorized', message: 'x' }, null, false);
  expect(refused?.what).toContain('does not let this browser in');
  expect(refused?.goesOn).toMatch(/kept here.*once the catalog/);
});
