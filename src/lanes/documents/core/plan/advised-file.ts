/** A document in doubt with what a model says of it. */
import type { Lookup } from '../lookup/lookup.ts';
import { doubtOf, type DocumentDoubt } from '../agent/doubt.ts';
import type { Advised } from '../agent/ask-document.ts';
import { withAdvice, withChoices } from './propose.ts';
import { askedAgain, askedFor, type ScannedFile } from './scan-folder.ts';

/** The file itself where nothing is in doubt that a model could be asked about. Throws AccessionError `cancelled`. */
export async function advisedFile(
  file: ScannedFile,
  ask: (doubt: DocumentDoubt) => Promise<Advised>,
  lookup: Lookup,
): Promise<ScannedFile> {
  const { identified } = file;
  const doubt = doubtOf({ ...file, asked: identified === null ? null : askedFor(identified) });
  if (doubt === null) return file;
  const { chosen, said } = await ask(doubt);
  if (chosen === null) return { ...file, proposal: withAdvice(file.proposal, said) };
  const as = await askedAgain(file, chosen, lookup);
  const others = file.choices.filter(({ identifier }) => identifier.value !== chosen.value);
  return { ...as, proposal: withAdvice(withChoices(as.proposal, others), said) };
}
