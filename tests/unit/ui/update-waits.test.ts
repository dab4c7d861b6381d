import { expect, test } from 'vitest';
import { updateWaits } from '#ui/shell/update-waits.ts';

const worker = {} as ServiceWorker;

test.each([
  ['the first one waits before it takes over', { active: null, waiting: worker }, false],
  ['one serves the pages and nothing waits', { active: worker, waiting: null }, false],
  ['one serves the pages and another waits', { active: worker, waiting: worker }, true],
  ['there is none', undefined, false],
])('UI-135 a new version is said to be there: %s', (_what, registration, said) => {
  expect(updateWaits(registration)).toBe(said);
});
