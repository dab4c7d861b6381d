/**
 * What searching the pages of papers costs, in a program of its own, so that its memory is that of the search: it opens a
 * library that `document-pages.ts` has written, asks, and sends the figures to whoever began it.
 */
import { diskLibrary } from '#lanes/library/node/disk-library.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { askedOf } from '#lanes/library/core/documents/library-documents.ts';
import { Words } from './library-files.ts';

const QUESTIONS = 200;
const [, , library = '', authors = ''] = process.argv;
const names = authors.split(',');

const words = new Words(3);
const some = (): string => Array.from({ length: 2 + words.pick(5) }, () => words.word()).join(' ');
const author = (): string => `author:${names[words.pick(names.length)] ?? ''}`;
const year = (): string => `year:${1990 + words.pick(30)}`;
const kinds: readonly (() => string)[] = [some, () => `${some()} ${author()}`, () => `${some()} ${year()}`, author];

const begun = performance.now();
const { index } = await openLibrary(diskLibrary(library));
const opened = performance.now();
const answer = (question: string): number => {
  const asked = askedOf(index, question);
  const found =
    asked.words === '' ? asked.beginnings(20) : searchLibrary(index, asked.words, { ...asked.options, k: 20 });
  return found.map((passage) => asked.told(passage)).length;
};
const first = performance.now();
answer(some());
const firstMs = performance.now() - first;
const times = Array.from({ length: QUESTIONS }, (_, n) => {
  const question = kinds[n % kinds.length]?.() ?? '';
  const from = performance.now();
  answer(question);
  return performance.now() - from;
});
const at = (of: readonly number[], share: number): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length * share)] ?? 0;
process.send?.({
  'search.pages': Number(process.argv[4]),
  'search.open_ms': opened - begun,
  'search.first_ms': firstMs,
  'search.p50_ms': at(times, 0.5),
  'search.p95_ms': at(times, 0.95),
  'search.words_p50_ms': at(
    times.filter((_, n) => n % kinds.length === 0),
    0.5,
  ),
  'search.author_p50_ms': at(
    times.filter((_, n) => n % kinds.length === 1),
    0.5,
  ),
  'search.rss_mb': process.memoryUsage().rss / 1e6,
});
