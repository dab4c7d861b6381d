import { createRawSnippet, type Component } from 'svelte';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import RowWindow from '#ui/parts/RowWindow.svelte';
import { BEYOND, rowsDrawn } from '#ui/parts/row-window.ts';

const list = (count: number) => {
  const rows = Array.from({ length: count }, (_, at) => `passage ${at + 1}`);
  const row = createRawSnippet((one: () => string) => ({ render: () => `<b>${one()}</b>` }));
  const props = { rows, label: 'Evidence', height: 52, shown: 8, row };
  return render(RowWindow as unknown as Component<typeof props>, { props }).body;
};

test('ASK-37 of 3,000 rows those in sight are drawn, each says which of all it is, and the list is as high as all of them', () => {
  const page = list(3_000);
  expect(page.match(/passage \d+/g)).toEqual(Array.from({ length: 8 + 2 * BEYOND }, (_, at) => `passage ${at + 1}`));
  expect(page).toContain('aria-setsize="3000" aria-posinset="20"');
  expect(page).toMatch(/<ul[^>]*block-size: ?156000px/);
  // The keyboard reaches it, and what it is is said.
  expect(page).toMatch(/tabindex="0" role="region" aria-label="Evidence"/);
});

test('ASK-37 a list that is shorter than what is shown is drawn whole, and an empty one not at all', () => {
  expect(list(3).match(/passage \d+/g)).toEqual(['passage 1', 'passage 2', 'passage 3']);
  expect(list(0)).not.toContain('passage');
});

test('ASK-37 wherever it is scrolled to, each row in sight is drawn, and never more than a few beyond', () => {
  const [height, shown] = [52, 8];
  for (const count of [1, 7, 8, 9, 20, 21, 500, 3_000])
    for (let top = 0; top <= Math.max(0, count - shown) * height; top += 13) {
      const { first, end } = rowsDrawn({ count, top, height, shown });
      expect(first).toBeLessThanOrEqual(Math.floor(top / height));
      expect(end).toBeGreaterThanOrEqual(Math.min(count, Math.ceil(top / height) + shown));
      expect(end - first).toBeLessThanOrEqual(shown + 2 * BEYOND);
    }
});

test('ASK-37 scrolled beyond an end, as by a list that became shorter or an elastic browser, the rows of that end are drawn', () => {
  expect(rowsDrawn({ count: 30, top: 90_000, height: 52, shown: 8 })).toEqual({ first: 16, end: 30 });
  expect(rowsDrawn({ count: 30, top: -80, height: 52, shown: 8 })).toEqual({ first: 0, end: 20 });
});
