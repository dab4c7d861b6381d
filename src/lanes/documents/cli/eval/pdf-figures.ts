/** Figures of a folder of PDFs with their truth in `manifest.json`. */
import { join } from 'node:path';
import * as v from 'valibot';
import { readJson } from '#cli/json-lines.ts';
import { answerOf } from '#lanes/documents/cli/identify-pdfs.ts';
import { low, sameSet, Tally, work } from './tally.ts';

const RowSchema = v.object({
  file: v.string(),
  own_doi: v.nullable(v.string()),
  own_arxiv: v.nullable(v.string()),
  isbn: v.array(v.string()),
  write: v.optional(v.picklist(['ok', 'refused'])),
});

/** DOIs that are as good as the one of the row: JSTOR's stable number of the same article. */
const AS_GOOD = new Map([['duplicatesMerge_JSTOR_1.pdf', '10.2307/48635686']]);

/** May be read and not changed; its row does not say so. */
const PROTECTED = 'write-protected.pdf';

/** Under `<name>.`: `right`, `claims_right`, `evidence`, `write`. Throws as readJson. */
export async function pdfFigures(folder: string, name: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const row of v.parse(v.array(RowSchema), await readJson(join(folder, 'manifest.json')))) {
    const { answer } = await answerOf(folder, row.file, { aborted: false });
    const { doi, arxiv, isbn, evidence, write } = answer;
    const mayBe = row.write ?? (row.file === PROTECTED ? 'refused' : null);
    if (mayBe !== null) tally.count(`${name}.write`, write === mayBe);
    const isDoi = [low(row.own_doi), AS_GOOD.get(row.file)].includes(low(doi));
    const isArxiv = work(arxiv) === work(row.own_arxiv);
    const saysIsbn = row.isbn.length > 0 || /^book|isbn/.test(row.file);
    tally.count(`${name}.right`, isDoi && isArxiv && (!saysIsbn || sameSet(isbn, row.isbn)));
    if (doi !== null || arxiv !== null) tally.count(`${name}.claims_right`, isDoi && isArxiv);
    if ((row.own_doi === null && row.own_arxiv === null) || row.write === 'refused') continue;
    const placed = evidence.some(
      ({ field, kind, page, box }) =>
        field !== 'isbn' && field !== 'title' && (kind === 'xmp' || kind === 'info' || (page !== null && box !== null)),
    );
    tally.count(`${name}.evidence`, placed);
  }
  return tally.figures();
}
