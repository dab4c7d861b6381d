/** The command line: `accession catalog import FILE`, `accession match ...`. Exit codes: 0 done, 1 failed, 2 wrong usage. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { HttpOptions } from '#adapters/http/request.ts';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import { databaseUrl } from '#server/config.ts';
import { openStore, type Store } from '#server/store/store.ts';
import type { AgentEvalFlags } from './agent-eval.ts';
import { catalogImport } from './catalog-import.ts';
import { PROVIDERS, STRATEGIES } from './eval/choices.ts';
import type { ModelAdapters, ModelFlags } from './open-model.ts';
import type { RenameFlags } from './rename.ts';
import type { WorkFlags } from './work.ts';

/** The same database that a server on this data directory uses, whether one runs or not. */
async function openCatalog(): Promise<Store> {
  const data = resolve(process.env['ACCESSION_DATA']?.trim() || './data');
  const url = databaseUrl(process.env);
  if (url !== null)
    return openStore((await import('#adapters/node/postgres-dialect.ts')).postgresSource(url), randomUUID);
  await mkdir(data, { recursive: true, mode: 0o700 });
  return openStore(sqliteFile(join(data, 'catalog.db')), randomUUID);
}

const clock = { now: (): number => Date.now() };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** As a shell says it of a process that ended by Ctrl-C. */
const INTERRUPTED = 130;
/** Milliseconds: npm passes one Ctrl-C on more than once; one that comes later means it. */
const SAME_WISH = 1500;

/** The first wish to stop is heard, a second one ends the process. */
function onStop(stop: () => void): void {
  let first: number | null = null;
  const heard = (): void => {
    first ??= performance.now();
    if (performance.now() - first > SAME_WISH) process.exit(INTERRUPTED);
    stop();
  };
  process.on('SIGINT', heard).on('SIGTERM', heard);
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** What agent-eval may open; loaded only then. */
const adapters: ModelAdapters = {
  ollama: async (options) => (await import('#adapters/llm/ollama.ts')).createOllama(options),
  openai: async (options) => (await import('#adapters/llm/openai.ts')).createOpenAi(options),
  recorded: async (cassette, capabilities) =>
    (await import('#adapters/llm/recorded.ts')).createRecorded({
      cassette,
      capabilities,
    }),
  record: async (provider, cassette) => (await import('#adapters/llm/recorded.ts')).recordInto(provider, cassette),
  cassette: async () => (await import('#adapters/llm/cassette.ts')).CassetteSchema,
  wllama: async (options) => (await import('#adapters/node/headless-wllama.ts')).openHeadlessWllama(options),
};

/** The headless worker: its parts, and the loop until it is stopped. Exit code. */
async function work(flags: WorkFlags): Promise<number> {
  const [{ readToken, withModel, workerName }, opening, { runWorker }, { askDefaults }, { workSettings }] =
    await Promise.all([
      import('./work.ts'),
      import('#adapters/node/work/open-worker.ts'),
      import('#adapters/work/run-worker.ts'),
      import('#adapters/work/ask-defaults.ts'),
      import('#adapters/work/settings.ts'),
    ]);
  const [{ createCatalogClient }, configFile] = await Promise.all([
    import('#adapters/http/catalog-client.ts'),
    import('#server/config-file.ts'),
  ]);
  const token = await readToken(flags, process.env);
  const http = { baseUrl: flags.server, token: () => Promise.resolve(token) };
  const file = await configFile.readConfigFile(process.env, resolve(process.env['ACCESSION_DATA']?.trim() || './data'));
  const stop = new AbortController();
  onStop(() => stop.abort());
  const defaults = await askDefaults(createCatalogClient(http), { wait: opening.wait, say }, stop.signal);
  if (defaults === null) return 0;
  const settings = withModel(workSettings(defaults), defaults, file, flags.model);
  const opened = await opening.openWorker({
    http,
    settings,
    openModel: async () => {
      const broker = async (options: HttpOptions) => (await import('#adapters/llm/broker.ts')).openBroker(options);
      return (await import('./work-model.ts')).openWorkModel(settings, file, http, { ...adapters, broker });
    },
    directory: flags.dir === undefined ? null : resolve(flags.dir),
    ffmpeg: flags.ffmpeg ?? file.ingestion.ffmpeg_path,
    say,
  });
  try {
    const model =
      settings.llm_provider === 'none' ? 'no model' : `${settings.llm_provider} ${settings.llm_model}`.trim();
    say(`working for ${flags.server} with ${opened.converter} and ${model}`);
    const ended = await runWorker(opened.using, { name: workerName(flags), once: flags.once === true }, stop.signal);
    if (ended === null) return 0;
    process.stderr.write(`accession: ${ended.message} ${ended.remedy}\n`);
    return 1;
  } finally {
    await opened.close();
  }
}

/** Store and directories of `--data`, or of the environment. */
async function openKept(flags: { data?: string }) {
  if (flags.data !== undefined) process.env['ACCESSION_DATA'] = flags.data;
  const data = resolve(process.env['ACCESSION_DATA']?.trim() || './data');
  const [{ rootsOf }, { readConfigFile }] = await Promise.all([
    import('./backup/backup.ts'),
    import('#server/config-file.ts'),
  ]);
  const { ingestion, blobs } = await readConfigFile(process.env, data);
  if (blobs !== null) throw new AccessionError(failure('invalid', inBucket(blobs.bucket)));
  return { data, store: await openCatalog(), roots: rootsOf(data, ingestion.temp_dir) };
}

const inBucket = (bucket: string): string =>
  `The audio is in the bucket "${bucket}", which this command does not carry: keep the database by its own tools and the bucket by its versions (docs/OPERATIONS.md).`;

const program = new Command('accession')
  .description('Accession from a terminal. ACCESSION_DATA says where the catalog is (default ./data).')
  .exitOverride();

program
  .command('catalog')
  .description('the catalog')
  .command('import')
  .argument('<file>', 'JSON file { artists, albums, tracks }, { shows }, or both in one')
  .description('import a catalog, all rows or none; works beside a running server')
  .action(async (file: string) => {
    const store = await openCatalog();
    try {
      await catalogImport(store, clock, resolve(file), say);
    } finally {
      await store.close();
    }
  });

program
  .command('match')
  .description('match files to the tracks of a catalog and write one prediction a line')
  .requiredOption('--catalog <file>', 'catalog as JSON')
  .requiredOption('--cases <file>', 'cases, one JSON object a line')
  .requiredOption('--out <file>', 'where the predictions go')
  .option('--full', 'write all that the matcher says, one case a line')
  .action(async (options: { catalog: string; cases: string; out: string; full?: boolean }) => {
    const { matchCommand } = await import('./match.ts');
    const { cases, files } = await matchCommand(options);
    say(`${files} files of ${cases} cases matched; predictions are in ${options.out}`);
  });

program
  .command('recognize')
  .description('say what videos are, by their names or by whole folders')
  .option('--names <file>', 'names, one JSON object a line')
  .option('--folders <file>', 'whole folders, one JSON object a line, with what a catalog says of the show')
  .requiredOption('--out <file>', 'where the answers go, one JSON object a line')
  .action(async ({ names, folders, out }: { names?: string; folders?: string; out: string }, command: Command) => {
    if (names !== undefined && folders === undefined) {
      const { recognizeNames } = await import('./recognize-names.ts');
      const read = await recognizeNames({ names, out });
      return say(`${read.names} names read; the answers are in ${out}`);
    }
    if (folders === undefined || names !== undefined)
      return command.error('error: say what to recognise: --names <file> or --folders <file>');
    const { recognizeFolders } = await import('./recognize-folders.ts');
    const read = await recognizeFolders({ folders, out });
    say(`${read.episodes} episode files in ${read.folders} folders recognised; the answers are in ${out}`);
  });

program
  .command('agent-eval')
  .description('measure a model on the files of a case set that the matcher doubts, beside what no model would do')
  .requiredOption('--catalog <file>', 'catalog as JSON')
  .requiredOption('--cases <file>', 'cases with their truth, one JSON object a line')
  .addOption(new Option('--provider <name>', 'who answers').choices(PROVIDERS).makeOptionMandatory())
  .option('--base-url <url>', 'address of the Ollama or OpenAI-compatible server (key: ACCESSION_MODEL_KEY)')
  .option('--model <name>', 'model; for wllama the path of a GGUF')
  .option('--context <tokens>', 'tokens of prompt and answer', whole, 8192)
  .addOption(new Option('--strategy <name>', 'choice or tools').choices(STRATEGIES).default('auto'))
  .option('--hostile <file>', 'hostile rows, one JSON object a line; measures flips')
  .option('--limit <n>', 'doubtful files at most', whole)
  .option('--seed <n>', 'of the option orders, the sampling and the dice', whole, 1)
  .option('--cassette <file>', 'recorded answers, for the provider recorded')
  .option('--record <file>', 'writes what the model answers into a cassette')
  .option('--json <file>', 'writes the figures as one flat JSON object')
  .action(async (flags: AgentEvalFlags & ModelFlags) => {
    const [{ agentEval }, { openModel }] = await Promise.all([import('./agent-eval.ts'), import('./open-model.ts')]);
    const done = await agentEval(flags, {
      open: () => openModel(flags, adapters),
      say,
      onStop,
    });
    process.exitCode = done ? 0 : INTERRUPTED;
  });

program
  .command('work')
  .description('work on what was uploaded to a server over HTTP: match, ask, convert, publish')
  .requiredOption('--server <url>', 'address of the catalog server')
  .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
  .option('--once', 'stop when nothing waits')
  .option('--dir <directory>', 'for what is in hand (otherwise a temporary one)')
  .option('--ffmpeg <program>', 'native ffmpeg (otherwise that of accession.toml); without one, WebAssembly converts')
  .option('--name <name>', 'of this worker, for the server')
  .option('--no-model', 'ask no model, whatever is set')
  .action(async (flags: WorkFlags) => {
    process.exitCode = await work(flags);
  });

program
  .command('rename')
  .description('carry out a rename plan in a folder: all of it or nothing, and --undo takes it back')
  .requiredOption('--plan <file>', 'rename plan as JSON; its journal is kept beside it (<file>.journal)')
  .requiredOption('--root <dir>', 'the folder that the plan is for')
  .option('--hash <sha256>', 'carry it out only if it is the plan of which a dry run said this')
  .addOption(new Option('--dry-run', 'say what would be done, and touch nothing').conflicts(['undo', 'giveUp']))
  .option('--undo', 'give every file the name back that it had')
  .option('--give-up', 'leave the files of an interrupted run where they stand')
  .action(async (flags: RenameFlags) => {
    const [{ renameCommand }, { NodeFileTree }, { NodeJournalStore }] = await Promise.all([
      import('./rename.ts'),
      import('#adapters/node/file-tree.ts'),
      import('#adapters/node/rename-journal-store.ts'),
    ]);
    const stop = new AbortController();
    onStop(() => stop.abort());
    process.exitCode = await renameCommand(flags, {
      openTree: (directory) => NodeFileTree.open(resolve(directory)),
      openJournal: (path) => NodeJournalStore.inFile(path),
      clock: Date,
      ids: { next: randomUUID },
      cancel: stop.signal,
      say,
    });
  });

program
  .command('bundle')
  .description('results that a workstation exported')
  .command('import')
  .argument('<file>', 'the exported file')
  .option('--server <url>', 'address of the catalog server', 'http://127.0.0.1:8787')
  .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
  .description('have the server publish an exported result; sent twice it is published once')
  .action(async (file: string, flags: { server: string; tokenFile?: string }) => {
    const [{ bundleImport }, { readToken }, { sendBundle }] = await Promise.all([
      import('./bundle-import.ts'),
      import('./work.ts'),
      import('#adapters/http/bundle-client.ts'),
    ]);
    const token = await readToken(flags, process.env);
    const http = { baseUrl: flags.server, token: () => Promise.resolve(token) };
    await bundleImport((bundle) => sendBundle(http, bundle), resolve(file), say);
  });

program
  .command('backup')
  .description('write the catalog and its audio into one file; works beside a running server')
  .requiredOption('--out <file>', 'a file that is not there yet')
  .option('--data <dir>', 'data directory of the server')
  .action(async (flags: { out: string; data?: string }) => {
    const { store, roots } = await openKept(flags);
    const { backup } = await import('./backup/backup.ts');
    try {
      const { lost } = await backup(store, roots, resolve(flags.out), { say, sync: syncDirectory });
      process.exitCode = lost.length === 0 ? 0 : 1;
    } finally {
      await store.close();
    }
  });

program
  .command('restore')
  .description('put a backup into an empty data directory, or with DATABASE_URL into an empty database')
  .requiredOption('--from <file>', 'a file that `backup` wrote')
  .option('--data <dir>', 'data directory')
  .action(async (flags: { from: string; data?: string }) => {
    const { store, roots, data } = await openKept(flags);
    const { restore } = await import('./backup/restore.ts');
    try {
      const { tables, files } = await restore(store, roots, data, resolve(flags.from), {
        newId: randomUUID,
        clock,
        sync: syncDirectory,
      });
      say(`${tables['tracks'] ?? 0} tracks and ${files.length} files are back`);
    } finally {
      await store.close();
    }
  });

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said what is wrong already; help and version are no failure.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const failure = toFailure(error);
    const remedy = failure.code === 'internal' ? '' : ` ${failure.remedy}`;
    process.stderr.write(`accession: ${failure.message}${remedy}\n`);
    process.exitCode = 1;
  }
}
