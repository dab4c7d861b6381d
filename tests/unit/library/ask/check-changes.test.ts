import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSentence } from '#lanes/library/core/ask/check/check-sentence.ts';
import type { Evidence } from '#lanes/library/core/ask/evidence/evidence.types.ts';
import { evidenceOf } from './ask-world.ts';

/** Facts of one sentence, and the same told otherwise. */
const NAMES = ['Ravna', 'Ostrik', 'Belmo', 'Tarvin', 'Quell', 'Sarno'];
const NOUNS = ['mill', 'tower', 'bridge', 'granary', 'chapel', 'quarry'];
const VERBS = [
  ['holds', 'barrels'],
  ['received', 'visitors'],
  ['stores', 'sacks'],
  ['sold', 'tiles'],
] as const;
const UNITS = [
  ['metres', 'kilometres'],
  ['minutes', 'hours'],
  ['kilograms', 'tonnes'],
] as const;

interface World {
  first: string;
  second: string;
  noun: string;
  verb: (typeof VERBS)[number];
  one: number;
  two: number;
}

const world = fc
  .record({
    names: fc.shuffledSubarray(NAMES, { minLength: 2, maxLength: 2 }),
    noun: fc.constantFrom(...NOUNS),
    verb: fc.constantFrom(...VERBS),
    one: fc.integer({ min: 3, max: 900 }),
    more: fc.integer({ min: 1, max: 90 }),
  })
  .map(({ names: [first = '', second = ''], noun, verb, one, more }): World => ({
    first,
    second,
    noun,
    verb,
    one,
    two: one + more,
  }));

const source: Promise<Evidence | undefined> = evidenceOf({ 'a.md': '# Notes\n\nx\n' }).then((all) => all['a.md']);

/** The source's text is what the world says. */
function isSaid(base: Evidence, quote: string, sentence: string): boolean {
  const span = base.spans[0];
  if (span === undefined) throw new Error('no span');
  const section = {
    start: 0,
    end: quote.length,
    heading: 'Notes',
    startLine: 1,
    endLine: 1,
    rendered: false,
    page: null,
    prose: true,
  };
  const evidence = {
    ...base,
    title: 'Notes',
    spans: [{ ...span, start: 0, end: quote.length, text: quote, sections: [section] }],
  };
  return checkSentence({ text: sentence, quotes: [{ source_id: base.source_id, text: quote }] }, [evidence]).supported;
}

const told = ({ first, second, noun, verb: [verb, things], one, two }: World): string =>
  `The ${noun} of ${first} ${verb} ${one} ${things}, and the ${noun} of ${second} ${verb} ${two} ${things}.`;

test('ASK-23 a sentence with its numbers, names or units exchanged, denied, widened, doubted or given a cause is never carried', async () => {
  const base = await source;
  if (base === undefined) throw new Error('no source');
  fc.assert(
    fc.property(world, (w) => {
      const quote = told(w);
      const {
        first,
        second,
        noun,
        verb: [verb, things],
        one,
        two,
      } = w;
      const half = (name: string, count: number | string, change = ''): string =>
        `The ${noun} of ${name} ${change}${verb} ${count} ${things}.`;
      expect(isSaid(base, quote, quote)).toBe(true);
      expect(isSaid(base, quote, half(first, one))).toBe(true);
      for (const wrong of [
        told({ ...w, one: two, two: one }),
        told({ ...w, first: second, second: first }),
        half(first, two),
        half(second, one),
        half(first, one + 1),
        half(first, `${one} large`),
        half(first, `at least ${one}`),
        half(first, `about ${one}`),
        half(first, one, 'never '),
        half(first, one, 'probably '),
        half('Nowhere', one),
        `Every ${noun} of ${first} ${verb} ${one} ${things}.`,
        `The ${noun} of ${first} ${verb} ${one} ${things} because of ${second}.`,
        `The ${noun} of ${first} may have ${verb} ${one} ${things}.`,
        `No ${noun} of ${first} ${verb} ${one} ${things}.`,
      ])
        expect([wrong, isSaid(base, quote, wrong)]).toEqual([wrong, false]);
    }),
    { numRuns: 60 },
  );
});

test('ASK-22 spaces, case, quotation marks, the form of a number and the order of clauses change no verdict', async () => {
  const base = await source;
  if (base === undefined) throw new Error('no source');
  fc.assert(
    fc.property(world, fc.constantFrom(...UNITS), (w, [unit, larger]) => {
      const { first, noun, one } = w;
      const quote = `The *${noun}* of ${first} is ${one} ${unit} from the “old gate”.`;
      const plain = quote.replaceAll('*', '');
      for (const same of [
        plain.replaceAll(' ', '  '),
        plain.replaceAll(/[“”]/g, '"'),
        plain.toUpperCase().replace(/[“”]/g, ''),
        plain.replace(/\.$/, ''),
      ])
        expect([same, isSaid(base, quote, same)]).toEqual([same, true]);
      const wrong = plain.replace(unit, larger);
      expect([wrong, isSaid(base, quote, wrong)]).toEqual([wrong, false]);
      const two = told(w);
      const turned = two.replace(
        /^(.*), and (.*)\.$/,
        (_all, a: string, b: string) =>
          `${b.charAt(0).toUpperCase()}${b.slice(1)}, and ${a.charAt(0).toLowerCase()}${a.slice(1)}.`,
      );
      expect([turned, isSaid(base, two, turned)]).toEqual([turned, true]);
    }),
    { numRuns: 40 },
  );
});
