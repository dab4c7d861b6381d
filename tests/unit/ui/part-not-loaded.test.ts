import { expect, test } from 'vitest';
import { toFailure } from '#core/errors.ts';

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:4111/_app/immutable/workers/chunks/BagPzFEc.js',
  'error loading dynamically imported module: http://127.0.0.1:4111/_app/immutable/workers/chunks/BagPzFEc.js',
  'Importing a module script failed.',
])('UI-160 a part of the app that could not be loaded is said as that, with what to do: %s', (message) => {
  const { code, remedy, message: said } = toFailure(new TypeError(message));
  expect([code, said]).toEqual(['offline', 'A part of the app is not on this device yet.']);
  expect(remedy).toMatch(/^Connect once/);
  expect(toFailure(new TypeError(message), 'a.flac').message).toBe(
    'A part of the app for "a.flac" is not on this device yet.',
  );
});
