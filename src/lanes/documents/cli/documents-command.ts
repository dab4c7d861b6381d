/** `accession documents ...`. */
import type { LaneCommand } from '#cli/lane-cli.ts';

export const documentsCommand: LaneCommand = {
  stage: 'recognise',
  register: (program, { say }) => {
    const documents = program.command('documents').description('papers and books: what each one is');
    documents
      .command('identify')
      .description("find each document's own DOI, arXiv number and ISBNs, and every other one in it")
      .requiredOption('--texts <file>', 'texts of documents, one JSON object { id, text } a line')
      .requiredOption('--out <file>', 'where the answers { id, doi, arxiv, isbn, found } go, one JSON object a line')
      .action(async (flags: { texts: string; out: string }) => {
        const { identifyTexts } = await import('./identify-texts.ts');
        const read = await identifyTexts(flags);
        say(`${read.texts} texts read, ${read.identified} identified; the answers are in ${flags.out}`);
      });
  },
};
