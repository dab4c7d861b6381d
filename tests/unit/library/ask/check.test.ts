import { expect, test } from 'vitest';
import { checkSentence } from '#lanes/library/core/ask/check/check-sentence.ts';
import { findQuote } from '#lanes/library/core/ask/check/find-quote.ts';
import { evidenceOf } from './ask-world.ts';

const FILES = {
  'bells.md':
    '# Bells\n\nThe *great* bell   weighs 1,840 kilograms. It cracked on 3 June 1904.\nThe small one weighs 1.8 tonnes.\n',
  'page.html': '<h1>Bells</h1><p hidden>The bell is gold.</p><table><tr><td>Weight</td><td>5 t</td></tr></table>',
};

test('ASK-20 a quote stands in the visible text as whole words, blanks folded, and ... joins nothing', async () => {
  const { 'bells.md': bells, 'page.html': page } = await evidenceOf(FILES);
  if (bells === undefined || page === undefined) throw new Error('no evidence');
  expect(findQuote(bells, 'the great bell weighs\n1,840 kilograms')).toMatchObject({
    text: 'The *great* bell   weighs 1,840 kilograms',
  });
  expect(findQuote(page, 'Weight 5 t')).not.toBeNull();
  for (const quote of ['The great ... kilograms', '840 kilograms', '8 tonnes', 'bell weigh', ''])
    expect(findQuote(bells, quote), quote).toBeNull();
  expect(findQuote(page, 'The bell is gold.')).toBeNull();
});

test('ASK-21 amounts, times and dates are in the quotes, in a unit of the same size', async () => {
  const { 'bells.md': bells } = await evidenceOf(FILES);
  if (bells === undefined) throw new Error('no evidence');
  const quotes = [
    { source_id: bells.source_id, text: 'The great bell weighs 1,840 kilograms. It cracked on 3 June 1904.' },
  ];
  const isSupported = (text: string): boolean => checkSentence({ text, quotes }, [bells]).supported;
  for (const text of [
    'The great bell weighs 1,840 kg.',
    'The great bell weighs 1.84 tonnes.',
    'It cracked in June 1904.',
  ])
    expect(isSupported(text), text).toBe(true);
  for (const text of [
    'The great bell weighs 1,840 g.',
    'The great bell weighs 1.8 tonnes.',
    'It cracked on 4 June 1904.',
    'It cracked in June 1905.',
  ])
    expect(isSupported(text), text).toBe(false);
});
