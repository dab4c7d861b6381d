import { expect, test } from 'vitest';
import { idleWords, lastWords, workedOn } from '#ui/remote/upload-words.ts';

const CURRENT = { lease_id: 'l', label: 'Album', user: 'Ann', since: 0, progress: null };

test('UI-95 the line says whose upload it is, what is done now, and how far it is', () => {
  expect(workedOn(CURRENT)).toBe('This browser works on "Album" of Ann');
  const progress = { doing: 'converting' as const, name: '03.flac', job: 'j', done: 2, total: 12 };
  expect(workedOn({ ...CURRENT, progress })).toBe(
    'This browser works on "Album" of Ann: converting 03.flac, 2 of 12 files done',
  );
  expect(workedOn({ ...CURRENT, progress: { ...progress, doing: 'fetching', name: '', done: 0, total: 0 } })).toBe(
    'This browser works on "Album" of Ann: fetching',
  );
});

test('UI-94 it says why it works on nothing, and what became of the last one', () => {
  expect(idleWords({ why_not: null }, 0)).toBe('Nothing waits for this browser.');
  expect(idleWords({ why_not: 'busy' }, 0)).toBe('Your own files come first.');
  expect(idleWords({ why_not: 'resting' }, 60_000)).toMatch(/^Left to others until .+\.$/);
  expect(lastWords({ last: null })).toBe('');
  expect(lastWords({ last: { label: 'Album', at: 0, trouble: null } })).toContain('"Album", done for now');
  expect(lastWords({ last: { label: 'Album', at: 0, trouble: 'No space.' } })).toContain('given back (No space.)');
});
