import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { Cancel } from '#core/ports.ts';
import { checkSentence } from '#lanes/library/core/ask/check/check-sentence.ts';
import type { Evidence } from '#lanes/library/core/ask/evidence/evidence.types.ts';
import { Ledger } from '#lanes/library/core/ask/evidence/ledger.ts';
import { docOfFile } from '#lanes/library/core/ask/evidence/retrieve.ts';
import { currentLibrary } from './current-library.ts';

/** A sentence with the quotes that are to carry it. */
const RowSchema = v.object({
  id: v.string(),
  sentence: v.string(),
  quotes: v.array(v.object({ path: v.string(), quote: v.string() })),
});

export interface AskCheckFlags {
  rows: string;
  library: string;
  out: string;
  data: string;
  cancel: Cancel;
}

/**
 * `ask-check`: whether each sentence is carried by its quotes, one verdict a line with what is wrong. The library is brought
 * up to date first. Throws AccessionError `invalid` with the line.
 */
export async function askCheck(flags: AskCheckFlags): Promise<{ rows: number; supported: number }> {
  const rows = await readJsonLines(flags.rows, RowSchema);
  const index = await currentLibrary(flags);
  const sources = new Map<string, Evidence>();
  for (const { of, kept } of index.files()) {
    const ledger = new Ledger();
    ledger.add([docOfFile(of, kept)], { query: '', tool: 'ask-check' });
    const [one] = ledger.evidence;
    if (one !== undefined) sources.set(kept.path, one);
  }
  let supported = 0;
  const verdicts = rows.map(({ id, sentence, quotes }) => {
    const named = quotes.map(({ path, quote }) => ({ source_id: sources.get(path)?.source_id ?? '', text: quote }));
    const verdict = checkSentence({ text: sentence, quotes: named }, [...sources.values()]);
    if (verdict.supported) supported += 1;
    return `${JSON.stringify({ id, ...verdict })}\n`;
  });
  await writeFile(flags.out, verdicts.join(''));
  return { rows: rows.length, supported };
}
