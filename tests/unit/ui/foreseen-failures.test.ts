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

test('UI-161 a browser without space is said as that, however deep its error is wrapped', () => {
  const own = Object.assign(new Error('The current transaction exceeded its quota limitations.'), {
    name: 'QuotaExceededError',
  });
  const wrapped = Object.assign(new Error('Transaction aborted'), { name: 'AbortError', inner: own });
  // As it comes out of a worker: its name and message alone.
  const quoted = Object.assign(new Error('QuotaExceededError: over quota'), { name: 'AbortError' });
  for (const error of [own, wrapped, quoted]) {
    const { code, message, remedy } = toFailure(error, 'a.flac');
    expect([code, message]).toEqual(['storage_full', 'There is no space left in this browser for "a.flac".']);
    expect(remedy).not.toMatch(/reload/i);
  }
  expect(toFailure(Object.assign(new Error('x'), { name: 'AbortError' })).code).toBe('internal');
});
