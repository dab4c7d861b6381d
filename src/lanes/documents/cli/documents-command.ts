/** `accession documents ...`. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { INTERRUPTED, type LaneCommand } from '#cli/lane-cli.ts';
import { dataDirectory } from '#server/config.ts';
import { LOOKUP_HOSTS } from '#lanes/documents/core/lookup/hosts.ts';
import { alsoOption } from './also-option.ts';
import type { LookupFlags } from './lookup-one.ts';
import { registerRecords } from './record-commands.ts';
import { registerScan } from './scan-commands.ts';

export const documentsCommand: LaneCommand = {
  stage: 'recognise',
  register: (program, frame) => {
    const { say, onStop } = frame;
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
    documents
      .command('lookup')
      .description(`find the record of an identifier; asks ${LOOKUP_HOSTS.join(', ')}`)
      .option('--doi <doi>', 'what is looked up')
      .option('--isbn <isbn>')
      .option('--arxiv <number>')
      .option('--offline', 'ask nobody: only what was answered before')
      .option('--rescan', 'ask anew what was answered before')
      .option('--contact <address>', 'a mail address that Crossref is told, for its faster pool')
      .addOption(alsoOption())
      .option('--data <dir>', 'data directory, where answers are kept')
      .option('--cases <file>', 'recorded conversations with sources instead, one JSON object a line')
      .option('--out <file>', 'where the answers to --cases go')
      .action(async (flags: LookupFlags & { cases?: string; out?: string; data?: string }, command: Command) => {
        const { lookupOne, lookupLines, askedFor } = await import('./lookup-one.ts');
        if (flags.cases !== undefined) {
          if (flags.out === undefined) return command.error('error: say where the answers go: --out <file>');
          const { lookupCases } = await import('./lookup-cases.ts');
          return say(
            `${await lookupCases({ cases: flags.cases, out: flags.out })} cases; the answers are in ${flags.out}`,
          );
        }
        const asked = askedFor(flags);
        if (asked === null) return command.error('error: say what to look up: --doi, --isbn, --arxiv or --cases');
        const { lookupInNode } = await import('#lanes/documents/node/lookup-ports.ts');
        const folder = resolve(flags.data ?? dataDirectory(process.env));
        const stop = new AbortController();
        onStop(() => stop.abort());
        const answer = await lookupOne(asked, flags, lookupInNode(folder, stop.signal));
        for (const line of lookupLines(answer)) say(line);
        if (answer.outcome !== 'found') process.exitCode = 1;
      });
    documents
      .command('find')
      .description('find documents by their title: what Crossref and Open Library have, the likest first')
      .requiredOption('--title <title>', 'the title')
      .option('--offline', 'ask nobody: only what was answered before')
      .option('--rescan', 'ask anew what was answered before')
      .option('--contact <address>', 'a mail address that Crossref is told')
      .addOption(alsoOption())
      .option('--data <dir>', 'data directory, where answers are kept')
      .action(async ({ title, ...flags }: LookupFlags & { title: string; data?: string }) => {
        const [{ createLookup }, { lookupInNode }, { findTitle }] = await Promise.all([
          import('#lanes/documents/core/lookup/lookup.ts'),
          import('#lanes/documents/node/lookup-ports.ts'),
          import('./find-title.ts'),
        ]);
        const stop = new AbortController();
        onStop(() => stop.abort());
        const ports = lookupInNode(resolve(flags.data ?? dataDirectory(process.env)), stop.signal);
        const { offline = false, rescan = false, contact = null, also: more = [] } = flags;
        process.exitCode = await findTitle(title, createLookup({ ...ports, offline, rescan, contact, more }), say);
      });
    registerScan(documents, frame);
    registerRecords(documents, frame);
  },
};
