import { describe, expect, test } from 'vitest';
import {
  faultsOf,
  fieldsOf,
  imported,
  listingsText,
  moved,
  NO_LISTINGS,
  saved,
  shownEntry,
  withoutShown,
  type EntryFields,
  type ListingsState,
} from '#lanes/documents/core/listings/edit-listings.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const XML = ['Rivers', 'Banks', 'Weirs']
  .map((title, i) => `<article><title>${title}</title><author>Ana Garcia</author><doi>10.5555/a.${i}</doi></article>`)
  .join('');

const filled = async (): Promise<ListingsState> => (await imported(NO_LISTINGS, XML, NOW)).state;
const fields = (state: ListingsState): EntryFields => {
  const entry = shownEntry(state);
  if (entry === undefined) throw new Error('no entry');
  return fieldsOf(entry);
};
const titles = ({ manifest }: ListingsState): string[] => manifest.entries.map(({ title }) => title);

describe('DOCUMENT-50 the form of listings', () => {
  test('imports markup once, shows the first new one, takes a manifest of before, and names what has nothing', async () => {
    const first = await imported(NO_LISTINGS, XML, NOW);
    expect(first).toMatchObject({ listed: 3, fresh: 3, why: null, state: { at: 0 } });
    const again = await imported(moved(first.state, 1), XML, NOW);
    expect(again).toMatchObject({ listed: 3, fresh: 0, state: { at: 1 } });
    expect((await imported(NO_LISTINGS, '<p>words</p>', NOW)).why).toContain('No result');
    const kept = await imported(NO_LISTINGS, listingsText(first.state), NOW);
    expect(titles(kept.state)).toEqual(['Rivers', 'Banks', 'Weirs']);
    await expect(imported(NO_LISTINGS, '{ "version": 2 }', NOW)).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
  });

  test('saves what is sound of the fields and says what is not', async () => {
    const state = await filled();
    const typed = { ...fields(state), title: ' Rivers & more ', authors: 'Ana Garcia; Lee Brook', date: '2019-05' };
    expect(faultsOf(typed)).toEqual({});
    expect(shownEntry(saved(state, typed))).toMatchObject({
      ...{ title: 'Rivers & more', authors: ['Ana Garcia', 'Lee Brook'], date: '2019-05', year: 2019 },
      processed: false,
    });
    const wrong = { ...typed, doi: 'none', isbn: '9780306406150', pdf_url: 'javascript:alert(1)', date: 'soon' };
    expect(Object.keys(faultsOf(wrong)).toSorted()).toEqual(['date', 'doi', 'isbn', 'pdf_url']);
    // The year alone would be kept of it.
    expect(faultsOf({ ...typed, date: '2019-13' })).toHaveProperty('date');
    expect(shownEntry(saved(state, wrong))).toMatchObject({ doi: '', isbn: '', pdf_url: '', date: '' });
  });

  test('Complete goes on to the next open one, Previous and Next stay within, Delete takes the shown one', async () => {
    let state = await filled();
    state = saved(state, fields(state), true);
    expect([state.at, shownEntry(state)?.title]).toEqual([1, 'Banks']);
    state = saved(moved(state, 1), fields(moved(state, 1)), true);
    expect([state.at, shownEntry(state)?.title]).toEqual([1, 'Banks']);
    expect(moved(moved(moved(state, 1), 1), 1).at).toBe(2);
    expect(moved(moved(state, -1), -1).at).toBe(0);
    state = withoutShown(state);
    expect([titles(state), state.at]).toEqual([['Rivers', 'Weirs'], 1]);
    expect(shownEntry(withoutShown(withoutShown(state)))).toBeUndefined();
  });
});
