import { describe, expect, it } from 'vitest';
import { NamesBuilder } from '#lanes/music/core/index/build-names.ts';
import { openIds } from '#lanes/music/core/index/compact-catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { openWordBase } from '#lanes/music/core/index/word-base.ts';
import { openWordIndex, type WordIndex } from '#lanes/music/core/index/word-index.ts';
import { StringTableBuilder, stringTable } from '#core/index/strings.ts';
import { syntheticCatalog } from '../../../scripts/eval/catalog.ts';
import { seeded } from '../../../scripts/eval/random.ts';
import { searchQuestions } from '../../fixtures/search-questions.ts';

const LIMIT = 20;
const catalog = syntheticCatalog({ seed: 11, tracks: 600 });

/** An index of words alone, of rows in the order of their ids, as a table gives them. @param most names remembered at a time */
function namesIndex(most: number): WordIndex {
  const builder = new NamesBuilder(most);
  const byId = <T extends { id: string }>(rows: readonly T[]): T[] => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const row of byId(catalog.artists)) builder.addArtist(row);
  for (const row of byId(catalog.albums)) builder.addAlbum({ ...row, year: row.year ?? null });
  for (const row of byId(catalog.tracks)) builder.addTrack(row);
  builder.addTrack({
    id: 'tr_nowhere',
    album_id: 'al_nowhere',
    title: catalog.tracks[0]?.title ?? '',
    artist: 'Nobody',
  });
  const steps = builder.steps();
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    const { named, words } = step.value;
    return openWordIndex(openWordBase(words, named, openIds(named)));
  }
}

describe('SYNC-87 an index of words alone', () => {
  it.each([1, 7, 100_000])('SYNC-87 answers as that of the whole catalog, with %d names remembered', (most) => {
    const whole = buildCatalogIndex(catalog).words();
    const alone = namesIndex(most);
    const questions = searchQuestions(catalog, 150, 12);
    for (const question of questions) expect(alone.search(question, LIMIT)).toEqual(whole.search(question, LIMIT));
    expect(questions.filter((question) => alone.search(question, LIMIT).tracks.length > 0).length).toBeGreaterThan(75);
  });

  it('SYNC-87 texts of any length, and one longer than a piece, are given back and put in order', () => {
    const random = seeded(5);
    const texts = Array.from({ length: 3000 }, () =>
      random.pick(['é', 'Zwölf ', '日', 'a', '']).repeat(random.below(900)),
    );
    texts.push('x'.repeat(3_000_000), 'é', '');
    const builder = new StringTableBuilder();
    const numbers = texts.map((text, at) => (at % 2 === 0 ? builder.append(text) : builder.add(text)));
    const { bytes, ends } = builder.build();
    const table = stringTable(bytes, ends);
    expect(numbers.map((number) => table.text(number))).toEqual(texts);
    const codes = (text: string): string =>
      [...text].map((sign) => (sign.codePointAt(0) ?? 0).toString(16).padStart(6, '0')).join('');
    for (let pair = 0; pair < 500; pair++) {
      const [a, b] = [random.below(texts.length - 3), random.below(texts.length - 3)];
      const [first, second] = [codes(texts[a] ?? ''), codes(texts[b] ?? '')];
      const wanted = first < second ? -1 : first > second ? 1 : 0;
      expect(Math.sign(table.compare(numbers[a] ?? 0, numbers[b] ?? 0))).toBe(wanted);
    }
  });
});
