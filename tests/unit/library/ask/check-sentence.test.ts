import { describe, expect, test } from 'vitest';
import { checkSentence } from '#lanes/library/core/ask/check/check-sentence.ts';
import { CHECK_ROWS } from './check-rows.ts';
import { evidenceOf } from './ask-world.ts';

describe('ASK-22 a sentence is carried by its quotes or refused', () => {
  for (const { heading, quote, carried, refused } of CHECK_ROWS) {
    const verdicts = async (sentences: readonly string[]): Promise<string[]> => {
      const { 'a.md': source } = await evidenceOf({ 'a.md': `# ${heading}\n\n${quote}\n` });
      if (source === undefined) throw new Error('no evidence');
      const quotes = [{ source_id: source.source_id, text: quote }];
      return sentences.map((text) => {
        const { supported, faults } = checkSentence({ text, quotes }, [source]);
        return `${supported ? 'carried' : 'refused'}: ${text}${supported ? '' : ` (${faults.map((one) => one.text).join(' ')})`}`;
      });
    };
    test(`ASK-22 carried: ${quote}`, async () => {
      const found = await verdicts(carried);
      expect(found.filter((one) => one.startsWith('refused'))).toEqual([]);
    });
    for (const [kind, sentences] of Object.entries(refused))
      test(`ASK-23 refused, ${kind}: ${quote}`, async () => {
        const found = await verdicts(sentences);
        expect(found.filter((one) => one.startsWith('carried'))).toEqual([]);
      });
  }
});
