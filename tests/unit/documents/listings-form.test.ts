import { describe, expect, test } from 'vitest';
import { changedOver } from '#lanes/documents/core/listings/changed-over.ts';
import {
  faultsOf,
  fieldsOf,
  imported,
  listingsText,
  moved,
  NO_LISTINGS,
  saved,
  shownEntry,
  takenOver,
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

describe('listings that two pages have', () => {
  const over = (kept: ListingsState, before: ListingsState, after: ListingsState): ListingsState => ({
    manifest: changedOver(kept.manifest, before.manifest, after.manifest),
    at: 0,
  });

  test('DOCUMENT-125 what each page did stays: fields of the same entry, entries that came and went, in their order', async () => {
    const both = await filled();
    const one = saved(both, { ...fields(both), title: 'Streams' });
    const more = await imported(both, XML.replaceAll('Rivers', 'Lakes').replaceAll('/a.', '/b.'), NOW);
    const two = saved({ ...more.state, at: 0 }, { ...fields(both), notes: 'read' });
    const kept = over(two, both, one);
    expect(titles(kept)).toEqual(['Streams', 'Banks', 'Weirs', 'Lakes', 'Banks', 'Weirs']);
    expect(shownEntry(kept)).toMatchObject({ title: 'Streams', notes: 'read' });
    const without = withoutShown({ ...both, at: 1 });
    expect(titles(over(kept, both, without))).toEqual(['Streams', 'Weirs', 'Lakes', 'Banks', 'Weirs']);
    // What one took away and another changed is there, as it was changed.
    expect(titles(over(withoutShown(both), both, one))).toEqual(['Streams', 'Banks', 'Weirs']);
    expect(over(kept, both, both)).toEqual(kept);
  });

  test('DOCUMENT-126 a listing that is brought back takes nothing back that was changed since', async () => {
    const before = moved(await filled(), 1);
    const after = withoutShown(before);
    const since = saved({ ...after, at: 0 }, { ...fields({ ...after, at: 0 }), title: 'Streams' });
    expect(titles(over(since, after, before))).toEqual(['Streams', 'Banks', 'Weirs']);
  });

  test('DOCUMENT-127 a page that takes over what another did shows the same entry, and keeps what is being typed', async () => {
    const page = moved(await filled(), 1);
    const typed = { ...fields(page), notes: 'half a sen' };
    const { manifest } = saved(page, { ...fields(page), title: 'Shores' });
    const other = withoutShown({ manifest, at: 0 });
    const now = takenOver(page, typed, other.manifest);
    expect(now.fields).toMatchObject({ title: 'Shores', notes: 'half a sen' });
    expect(now.state.at).toBe(0);
    // The entry is gone: the next one is shown as it is.
    const gone = withoutShown({ ...page, at: 1 });
    expect(takenOver(page, typed, gone.manifest).fields).toMatchObject({ title: 'Weirs', notes: '' });
    expect(takenOver(page, typed, NO_LISTINGS.manifest).fields).toBeNull();
  });
});

test('DOCUMENT-144 what is pasted and is no manifest is not imported, and what to do on the page is said', async () => {
  const failure: unknown = expect.objectContaining({
    message: expect.stringContaining('"What was pasted" is no manifest of version 1') as string,
    remedy: 'Nothing was imported: mend it, and press Run import again.',
  });
  await expect(imported(NO_LISTINGS, '{ "version": 2, "entries": [] }', NOW)).rejects.toMatchObject({ failure });
});
