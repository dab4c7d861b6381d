/** Whether a sentence may be said: everything in it is carried by its quotes, and its quotes stand in their sources. */
import type { Sentence } from '../answer/answer.types.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { quantitiesOf, sameQuantity } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';
import { findQuote } from './find-quote.ts';
import type { Fault, Verdict } from './verdict.types.ts';

/** `evidence`: the sources that may be quoted. */
export function checkSentence({ text, quotes }: Sentence, evidence: readonly Evidence[]): Verdict {
  const faults: Fault[] = [];
  if (quotes.length === 0) faults.push({ kind: 'no quote', text: 'It has no quote.' });
  const found = quotes.flatMap((quote) => {
    const source = evidence.find(({ source_id }) => source_id === quote.source_id);
    const place = source === undefined ? null : findQuote(source, quote.text);
    if (place === null)
      faults.push({ kind: 'quote not in its source', text: `Its source does not say “${quote.text}”.` });
    return place === null ? [] : [place];
  });
  const quoted = found.flatMap((one) => quantitiesOf(tokensOf(one.text), one.text));
  for (const said of quantitiesOf(tokensOf(text), text))
    if (!quoted.some((one) => sameQuantity(said, one)))
      faults.push({ kind: said.kind === 'date' ? 'date' : 'number', text: `No quote says ${said.text}.` });
  return { supported: faults.length === 0, faults };
}
