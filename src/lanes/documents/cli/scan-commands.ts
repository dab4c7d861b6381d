/** `accession documents scan|repair|undo|trash`: what changes a folder of documents. */
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { INTERRUPTED, type CliFrame } from '#cli/lane-cli.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { ScanPorts } from '#lanes/documents/node/scan/open-scan.ts';
import type { OpenedModel } from '#cli/open-model.ts';
import { failed } from '#core/errors.ts';
import { dataDirectory } from '#server/config.ts';
import { alsoOption } from './also-option.ts';
import type { LookupFlags } from './lookup-one.ts';
import type { ScanFlags } from './scan.ts';

type FolderFlags = Pick<LookupFlags, 'offline' | 'rescan' | 'contact' | 'also'> & { dir: string; data?: string };
type ModelFlags = { provider?: string; model?: string; baseUrl?: string; context?: number; cassette?: string };
type ServerFlags = { server?: string; tokenFile?: string; sendPdfs?: boolean };
type ScanCommandFlags = FolderFlags & ScanFlags & ModelFlags & ServerFlags & { file?: string; xml?: string };

const MANIFEST = 'research/out/manifest.json';

const upTo =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0 || value > most) throw new InvalidArgumentError('It is a whole number.');
    return value;
  };
const count = upTo(10_000);

export function registerScan(
  documents: Command,
  { say, onStop, loadFolders, openModel }: Pick<CliFrame, 'say' | 'onStop' | 'loadFolders' | 'openModel'>,
): void {
  common(
    documents
      .command('scan')
      .description(
        'identify and look up the PDFs of a folder; write what is sure into them, the manifest and their names',
      )
      .option('--dir <dir>', 'the folder', 'data_raw')
      .option('--glob <pattern>', 'which of its PDFs, like reports/**/*.pdf')
      .option('--dry-run', 'touch nothing (so it is without --write)')
      .addOption(new Option('--write', 'write: ask about each, or with --yes what is Strong').conflicts('dryRun'))
      .addOption(new Option('--json', 'print each document as a line of JSON; touch nothing').conflicts('write'))
      .option('--yes', 'write what is Strong without asking')
      .option('--move-to <dir>', 'a folder within it, to which what is renamed goes')
      .option('--no-manifest', 'keep none')
      .option('--skip-existing', 'leave out what the manifest has as processed')
      .option('--depth <n>', 'folders in each other, from the folder on', count)
      .option('--jobs <n>', 'so many documents at a time; each source is asked one by one', count, 4)
      .option('--file <file>', 'import listings of a page of Google Scholar before')
      .option('--xml <file>', 'import listings of rough XML before'),
  ).action(async (flags: ScanCommandFlags, command: Command) => {
    const isAsking = flags.write === true && flags.yes !== true;
    if (isAsking && !process.stdin.isTTY && flags.interactive === undefined)
      return command.error(
        'error: --write asks about each document: give --yes, or --interactive cli with the answers',
      );
    for (const [path, form] of [
      [flags.file, null],
      [flags.xml, 'xml'],
    ] as const) {
      if (path === undefined || flags.manifest === false) continue;
      const { importFile } = await import('./records.ts');
      await importFile({ path, form }, { manifest: flags.manifest, dryRun: flags.write !== true }, say);
    }
    await scan(flags, isAsking, null);
  });
  common(
    documents
      .command('repair')
      .description('ask about one document: its record is looked up again and written')
      .argument('<file>', 'the PDF'),
  ).action(async (file: string, flags: Omit<ScanCommandFlags, 'dir'>) => {
    const path = resolve(file);
    await scan({ ...flags, dir: dirname(path), write: true }, true, { path: basename(path) });
  });
  documents
    .command('undo')
    .description('take back the newest plan that was carried out in a folder: contents, names, manifest')
    .option('--dir <dir>', 'the folder', 'data_raw')
    .option('--plan <id>', 'another one than the newest')
    .option('--data <dir>', 'data directory')
    .action(async (flags: { dir: string; plan?: string; data?: string }) => {
      const { undoCommand } = await import('./carry-out.ts');
      process.exitCode = await undoCommand(flags.plan, await scanPorts(flags, new AbortController()));
    });
  documents
    .command('carry-out', { hidden: true })
    .description('carry out the plan that a catalog server gives on stdin; the server runs this')
    .requiredOption('--data <dir>', 'data directory of the server')
    .action(async ({ data }: { data: string }) => {
      const stop = new AbortController();
      onStop(() => stop.abort());
      const { carryOutOrder } = await import('#lanes/documents/node/carry-out-order.ts');
      const { openTree } = await loadFolders();
      say(await carryOutOrder({ data: resolve(data), input: process.stdin, openTree, cancel: stop.signal }));
    });
  documents
    .command('send')
    .description('send what waits for the catalog server: records that were approved or taken back')
    .requiredOption('--server <url>', 'address of the catalog server')
    .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
    .option('--data <dir>', 'data directory')
    .action(async ({ data, ...flags }: ServerFlags & { data?: string }) => {
      const http = await serverOf(flags);
      const outbox = join(resolve(data ?? dataDirectory(process.env)), 'documents', 'outbox');
      if (http !== null) await send({ outbox, clock: { now: () => Date.now() }, say }, http);
    });
  documents
    .command('trash')
    .description('say what lies in the trash of a folder of documents; --empty removes it for good')
    .option('--dir <dir>', 'the folder', 'data_raw')
    .option('--empty', 'remove it: `documents undo` cannot bring it back any more')
    .action(async ({ dir, empty }: { dir: string; empty?: boolean }) => {
      const { trashCommand } = await import('#lanes/documents/node/trash.ts');
      await trashCommand(dir, empty === true, say);
    });

  async function scan(flags: ScanCommandFlags, isAsking: boolean, only: { path: string } | null): Promise<void> {
    const stop = new AbortController();
    const { scanCommand } = await import('./scan.ts');
    const { processTerminal } = await import('./terminal.ts');
    const model = await modelOf(flags);
    const terminal = isAsking ? processTerminal(stop) : null;
    try {
      const ports = await scanPorts(flags, stop);
      const { adviser } = await import('#lanes/documents/node/scan/advise.ts');
      const advise = model === null ? {} : { advise: adviser(model.provider, { ...ports, signal: stop.signal }) };
      const http = await serverOf(flags);
      const share = http === null ? {} : { share: flags.sendPdfs === true ? ('pdfs' as const) : ('records' as const) };
      process.exitCode = await scanCommand(flags, { ...ports, ...advise, ...share }, terminal, only);
      if (http !== null && flags.write === true) await send(ports, http);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      say(isAsking ? 'stopped; what was decided is done, nothing is half' : 'stopped; nothing was written');
      process.exitCode = INTERRUPTED;
    } finally {
      terminal?.close();
      await model?.close();
    }
  }

  /** Null: nothing goes to a server. */
  async function serverOf({ server, ...flags }: ServerFlags): Promise<HttpOptions | null> {
    if (server === undefined) return null;
    const { readToken } = await import('#cli/read-token.ts');
    const token = await readToken(flags, process.env);
    return { baseUrl: server, token: () => Promise.resolve(token) };
  }

  async function send(ports: Pick<ScanPorts, 'outbox' | 'clock' | 'say'>, http: HttpOptions): Promise<void> {
    const { sendCommand } = await import('./send.ts');
    const code = await sendCommand(ports.outbox, http, ports);
    if (code !== 0) process.exitCode = code;
  }

  async function modelOf({ provider, context = 8192, ...named }: ModelFlags): Promise<OpenedModel | null> {
    const { model, baseUrl, cassette } = named;
    if (provider !== undefined)
      return openModel(
        {
          ...{ provider, context },
          ...(model === undefined ? {} : { model }),
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(cassette === undefined ? {} : { cassette }),
        },
        {},
      );
    if (model ?? baseUrl ?? cassette) throw failed('invalid', '--model, --base-url and --cassette need --provider.');
    return null;
  }

  async function scanPorts(flags: FolderFlags, stop: AbortController) {
    const { openScan } = await import('#lanes/documents/node/scan/open-scan.ts');
    onStop(() => stop.abort());
    const { openTree } = await loadFolders();
    const data = resolve(flags.data ?? dataDirectory(process.env));
    return openScan({ ...flags, data }, { say, signal: stop.signal, openTree });
  }
}

/** What scan and repair both take. */
function common(command: Command): Command {
  return command
    .addOption(new Option('--rename <yes|no>', 'name files by title and year').choices(['yes', 'no']).default('yes'))
    .option('--manifest <file>', 'where the manifest is', MANIFEST)
    .addOption(
      new Option('--interactive <how>', 'asked on one screen (80 by 24 or more) or by lines').choices(['tui', 'cli']),
    )
    .option('--mark-skipped', 'write /ProcessedBy into what is skipped and says nothing of itself')
    .option('--allow-delete', 'let R move a file to .accession-trash in the folder, after a second question')
    .option('--offline', 'ask nobody: only what was answered before')
    .option('--rescan', 'ask anew what was answered before')
    .option('--contact <address>', 'a mail address that Crossref is told')
    .addOption(alsoOption())
    .option('--provider <name>', 'a model that is asked about what stays in doubt: ollama, openai, recorded')
    .option('--model <model>', 'its name there')
    .option('--base-url <url>', "the address of the model's server")
    .option('--context <tokens>', "tokens of the model's context", upTo(10_000_000), 8192)
    .option('--cassette <file>', 'recorded answers, for recorded')
    .option('--server <url>', 'a catalog server that gets the records that are written; they wait where it is away')
    .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
    .option('--send-pdfs', 'the PDFs go there, too')
    .option('--data <dir>', 'data directory, where answers, plans and journals are kept');
}
