/** `accession documents ...`. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { INTERRUPTED, type LaneCommand } from '#cli/lane-cli.ts';
import { dataDirectory } from '#server/config.ts';
import { LOOKUP_HOSTS } from '#lanes/documents/core/lookup/hosts.ts';
import type { LookupFlags } from './lookup-one.ts';
import { registerRecords } from './record-commands.ts';
import type { ScanFlags } from './scan.ts';

type ScanCommandFlags = LookupFlags & ScanFlags & { dir: string; data?: string; yes?: boolean };

export const documentsCommand: LaneCommand = {
  stage: 'recognise',
  register: (program, { say, onStop, loadFolders }) => {
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
      .command('scan')
      .description(
        'identify and look up the PDFs of a folder; write what is sure into them, the manifest and their names',
      )
      .option('--dir <dir>', 'the folder', 'data_raw')
      .option('--dry-run', 'touch nothing (so it is without --write)')
      .addOption(new Option('--write', 'write what is Strong').conflicts('dryRun'))
      .option('--yes', 'without asking; needed with --write')
      .addOption(new Option('--rename <yes|no>', 'name files by title and year').choices(['yes', 'no']).default('yes'))
      .option('--manifest <file>', 'where the manifest is', 'research/out/manifest.json')
      .option('--no-manifest', 'keep none')
      .option('--skip-existing', 'leave out what the manifest has as processed')
      .option('--depth <n>', 'folders in each other, from the folder on', (text) => Number.parseInt(text, 10))
      .option('--offline', 'ask nobody: only what was answered before')
      .option('--rescan', 'ask anew what was answered before')
      .option('--contact <address>', 'a mail address that Crossref is told')
      .option('--data <dir>', 'data directory, where answers, plans and journals are kept')
      .action(async (flags: ScanCommandFlags, command: Command) => {
        if (flags.write === true && flags.yes !== true)
          return command.error('error: --write writes what is Strong only with --yes');
        const { scanCommand } = await import('./scan.ts');
        process.exitCode = await scanCommand(flags, await scanPorts(flags));
      });
    documents
      .command('undo')
      .description('take back the newest plan that was carried out in a folder: contents, names, manifest')
      .option('--dir <dir>', 'the folder', 'data_raw')
      .option('--plan <id>', 'another one than the newest')
      .option('--data <dir>', 'data directory')
      .action(async (flags: { dir: string; plan?: string; data?: string }) => {
        const { undoCommand } = await import('./scan.ts');
        process.exitCode = await undoCommand(flags.plan, await scanPorts(flags));
      });

    registerRecords(documents, { say });

    async function scanPorts(flags: LookupFlags & { dir: string; data?: string }) {
      const { openScan } = await import('#lanes/documents/node/scan/open-scan.ts');
      const stop = new AbortController();
      onStop(() => stop.abort());
      const { openTree } = await loadFolders();
      const data = resolve(flags.data ?? dataDirectory(process.env));
      return openScan({ ...flags, data }, { say, signal: stop.signal, openTree });
    }
  },
};
