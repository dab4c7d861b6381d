/** `accession documents ...`. */
import { Option, type Command } from 'commander';
import { INTERRUPTED, type LaneCommand } from '#cli/lane-cli.ts';

export const documentsCommand: LaneCommand = {
  stage: 'recognise',
  register: (program, { say, onStop }) => {
    const documents = program.command('documents').description('papers and books: what each one is');
    documents
      .command('identify')
      .description("find each document's own DOI, arXiv number and ISBNs, and every other one in it")
      .option('--texts <file>', 'texts of documents, one JSON object { id, text } a line')
      .addOption(new Option('--pdfs <dir>', 'a folder of PDFs; nothing is written in it').conflicts('texts'))
      .requiredOption(
        '--out <file>',
        'where the answers { id or file, doi, arxiv, isbn, ... } go, one JSON object a line',
      )
      .action(async ({ texts, pdfs, out }: { texts?: string; pdfs?: string; out: string }, command: Command) => {
        if (pdfs !== undefined) {
          const stop = new AbortController();
          onStop(() => stop.abort());
          const { identifyPdfs } = await import('./identify-pdfs.ts');
          const read = await identifyPdfs({ directory: pdfs, out, cancel: stop.signal });
          for (const { file, reason } of read.unread) say(`${file}: ${reason}`);
          const count = stop.signal.aborted
            ? `cancelled after ${read.files} of ${read.all} PDFs`
            : `${read.files} PDFs read`;
          say(`${count}, ${read.identified} identified; the answers are in ${out}`);
          if (stop.signal.aborted) process.exitCode = INTERRUPTED;
          return;
        }
        if (texts === undefined) return command.error('error: say what to read: --texts <file> or --pdfs <dir>');
        const { identifyTexts } = await import('./identify-texts.ts');
        const read = await identifyTexts({ texts, out });
        say(`${read.texts} texts read, ${read.identified} identified; the answers are in ${out}`);
      });
  },
};
