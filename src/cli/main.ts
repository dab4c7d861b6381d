/** The command line: `accession catalog import FILE`, `accession match ...`. Exit codes: 0 done, 1 failed, 2 wrong usage. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { failed, isCode, toFailure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import { lanes } from '#lanes/lanes.ts';
import { databaseUrl, dataDirectory } from '#server/config.ts';
import type { LaneServer } from '#server/lane-server.ts';
import type { PlansDeps } from '#server/plans/server-plans.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { INTERRUPTED, STAGES, type CliFrame, type LaneCommand } from './lane-cli.ts';
import { toolboxCommand } from './toolbox/toolbox-commands.ts';
import type { VerifyFlags } from './verify.ts';
import type { WorkFlags } from './work.ts';

/** Loaded by commands that open the catalog. */
async function laneServers(): Promise<LaneServer[]> {
  return Promise.all(lanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));
}

/** The same database that a server on this data directory uses, whether one runs or not. */
async function openCatalog(servers: readonly LaneServer[]): Promise<Store> {
  const url = databaseUrl(process.env);
  if (url !== null)
    return openStore((await import('#adapters/node/postgres-dialect.ts')).postgresSource(url), randomUUID, servers);
  await mkdir(data(), { recursive: true, mode: 0o700 });
  return openStore(sqliteFile(join(data(), 'catalog.db')), randomUUID, servers);
}

/** The data directory. */
const data = (): string => resolve(dataDirectory(process.env));

const clock = { now: (): number => Date.now() };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

// Nobody reads any more (`accession ask ... | head`): no failure of the work, which goes on to its end.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error) => {
    if (!isCode(error, 'EPIPE')) throw error;
  });

/** Milliseconds: npm passes one Ctrl-C on more than once; one that comes later means it. */
const SAME_WISH = 1500;

/** For a worker whose server is gone to come to its end by itself, milliseconds. */
const ORPHAN_MS = 5_000;

/** Calls back at the first wish to stop; a second one ends the process. */
function onStop(stop: () => void): void {
  let first: number | null = null;
  const onSignal = (): void => {
    first ??= performance.now();
    if (performance.now() - first > SAME_WISH) process.exit(INTERRUPTED);
    stop();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

/** The headless worker: its parts, and the loop until it is stopped. Exit code. */
async function work(flags: WorkFlags): Promise<number> {
  const [{ readToken }, { withModel, workerName }, opening, { runWorker }, { askDefaults, workSettings }] =
    await Promise.all([
      import('./read-token.ts'),
      import('./work.ts'),
      import('./open-worker.ts'),
      import('#adapters/work/run-worker.ts'),
      import('#adapters/work/ask-defaults.ts'),
    ]);
  const { createServerClient } = await import('#adapters/http/server-client.ts');
  const { readConfigFile } = await import('#server/config-file.ts');
  const token = await readToken(flags, process.env);
  const http = { baseUrl: flags.server, token: () => Promise.resolve(token) };
  const file = await readConfigFile(process.env, data());
  const stop = new AbortController();
  onStop(() => stop.abort());
  // A server's own worker ends with it, however that ends; without a channel this never happens.
  process.once('disconnect', () => {
    stop.abort();
    // Nobody is there any more to whom something could be given back.
    setTimeout(() => process.exit(INTERRUPTED), ORPHAN_MS).unref();
  });
  process.channel?.unref();
  const defaults = await askDefaults(createServerClient(http), { wait: opening.wait, say }, stop.signal);
  if (defaults === null) return 0;
  const settings = withModel(workSettings(defaults), defaults, file, flags.model);
  const opened = await opening.openWorker({
    http,
    settings,
    openModel: async () => (await import('./work-model.ts')).openWorkModel(settings, file, http),
    lanes: (await Promise.all(lanes.map(async ({ cli }) => cli?.()))).flatMap((lane) => lane ?? []),
    cores: new Map(await Promise.all(lanes.map(async ({ id, core }) => [id, await core()] as const))),
    directory: flags.dir === undefined ? null : resolve(flags.dir),
    ffmpeg: flags.ffmpeg ?? file.ingestion.ffmpeg_path,
    say,
    mapped: flags.model ? file.playbooks.models : {},
    openMapped: frame.openModel,
    steps: {
      allow: file.tools.allow ?? [],
      tools: (agreed) => {
        const { library } = file.playbooks;
        return frame.stepTools({ ...(library === null ? {} : { library }), data: data(), agreed });
      },
    },
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
  const servers = await laneServers();
  const { rootsOf } = await import('./backup/backup.ts');
  const { readConfigFile } = await import('#server/config-file.ts');
  const { ingestion, blobs } = await readConfigFile(process.env, data());
  if (blobs !== null) throw failed('invalid', inBucket(blobs.bucket));
  return { servers, store: await openCatalog(servers), roots: rootsOf(data(), ingestion.temp_dir) };
}

const inBucket = (bucket: string): string =>
  `The audio is in the bucket "${bucket}", which this command does not carry: keep the database by its own tools and the bucket by its versions (docs/OPERATIONS.md).`;

/** Plans of a server's data directory, and the folders that its accession.toml names. */
async function openPlans(servers: readonly LaneServer[], store: Store): Promise<PlansDeps> {
  const [{ planDisk }, { readConfigFile }, { serverKinds }, { EventHub }, { createLog }] = await Promise.all([
    import('#adapters/node/plan-disk.ts'),
    import('#server/config-file.ts'),
    import('#server/plans/server-plans.ts'),
    import('#server/events.ts'),
    import('#server/log.ts'),
  ]);
  const { video, documents } = await readConfigFile(process.env, data());
  const log = createLog((line) => void process.stderr.write(`${line}\n`));
  const lanes = servers.flatMap(({ plans }) => plans ?? []);
  const say = (sentence: string): void => log.warn(sentence);
  const folders = { roots: video.folders, others: documents.folders };
  const kept = planDisk(join(data(), 'plans'), { kinds: serverKinds(lanes), ...folders, say });
  return { plans: { lanes, ...kept }, store, clock, events: new EventHub(), log };
}

/** The frame's own commands. */
const OWN: readonly LaneCommand[] = [
  toolboxCommand(async () => (await import('#adapters/toolbox/node/node-cage.ts')).openNodeCage(), data),
  {
    stage: 'catalog',
    register: (program) =>
      program
        .command('catalog')
        .description('the catalog')
        .command('import')
        .argument('<file>', 'JSON file { artists, albums, tracks }, { shows }, or both in one')
        .description(
          'import a catalog, nothing of one with a bad row; works beside a running server, and goes on when it was cut off',
        )
        .action(async (file: string) => {
          const { catalogImport } = await import('./catalog-import.ts');
          const servers = await laneServers();
          const store = await openCatalog(servers);
          try {
            const imports = servers.flatMap((lane) => lane.imports);
            await catalogImport(store, clock, imports, resolve(file), say);
          } finally {
            await store.close();
          }
        }),
  },
  {
    stage: 'keep',
    register: (program) =>
      program
        .command('link')
        .option('--data <dir>', 'data directory of the server')
        .option('--server <url>', 'address at which the server is opened', 'http://127.0.0.1:8787')
        .description('print a new link that signs in the admin, for an hour; works beside a running server')
        .action(async (flags: { data?: string; server: string }) => {
          if (flags.data !== undefined) process.env['ACCESSION_DATA'] = flags.data;
          const { printLink } = await import('./print-link.ts');
          const store = await openCatalog(await laneServers());
          try {
            await printLink(store, { clock, ids: randomIds }, flags.server, say);
          } finally {
            await store.close();
          }
        }),
  },
  {
    stage: 'work',
    register: (program) =>
      program
        .command('work')
        .description('work on what was uploaded to a server over HTTP: match, ask, convert, publish')
        .requiredOption('--server <url>', 'address of the catalog server')
        .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
        .option('--once', 'stop when nothing waits')
        .option('--dir <directory>', 'for what is in hand (otherwise a temporary one)')
        .option(
          '--ffmpeg <program>',
          'native ffmpeg (otherwise that of accession.toml); without one, WebAssembly converts',
        )
        .option('--name <name>', 'of this worker, for the server')
        .option('--no-model', 'ask no model, whatever is set')
        .action(async (flags: WorkFlags) => {
          process.exitCode = await work(flags);
        }),
  },
  {
    stage: 'keep',
    register: (program) =>
      program
        .command('bundle')
        .description('results that a workstation exported')
        .command('import')
        .argument('<file>', 'the exported file')
        .option('--server <url>', 'address of the catalog server', 'http://127.0.0.1:8787')
        .option('--token-file <file>', 'file that holds the token (otherwise ACCESSION_TOKEN)')
        .description('have the server publish an exported result; sent twice it is published once')
        .action(async (file: string, flags: { server: string; tokenFile?: string }) => {
          const { bundleImport } = await import('./bundle-import.ts');
          const { readToken } = await import('./read-token.ts');
          const { sendBundle } = await import('#adapters/http/bundle-client.ts');
          const token = await readToken(flags, process.env);
          const http = { baseUrl: flags.server, token: () => Promise.resolve(token) };
          await bundleImport((bundle) => sendBundle(http, bundle), resolve(file), say);
        }),
  },
  {
    stage: 'keep',
    register: (program) =>
      program
        .command('backup')
        .description('write the catalog and its audio into one file; works beside a running server')
        .requiredOption('--out <file>', 'a file that is not there yet')
        .option('--data <dir>', 'data directory of the server')
        .action(async (flags: { out: string; data?: string }) => {
          const { store, roots, servers } = await openKept(flags);
          const { backup } = await import('./backup/backup.ts');
          try {
            const using = { lanes: servers, say, sync: syncDirectory };
            const { lost } = await backup(store, roots, resolve(flags.out), using);
            process.exitCode = lost.length === 0 ? 0 : 1;
          } finally {
            await store.close();
          }
        }),
  },
  {
    stage: 'keep',
    register: (program) =>
      program
        .command('verify')
        .description('hash every file, hold rows, feed and search against each other; works beside a running server')
        .option('--repair', 'mend from other copies and backups; what cannot be mended is asked for again')
        .option('--backup <file...>', 'backups that are verified, and mended from')
        .option('--json', 'findings as JSON')
        .option('--data <dir>', 'data directory of the server')
        .action(async (flags: VerifyFlags & { data?: string }) => {
          if (flags.data !== undefined) process.env['ACCESSION_DATA'] = flags.data;
          const { verifyCommand } = await import('./verify.ts');
          const { openKeptFiles } = await import('./open-kept.ts');
          const servers = await laneServers();
          const store = await openCatalog(servers);
          try {
            const kept = await openKeptFiles(data(), store.shared, process.env);
            const deps = { ...kept, store, lanes: servers, clock, ids: randomIds };
            const backup = (flags.backup ?? []).map((path) => resolve(path));
            process.exitCode = await verifyCommand(deps, { ...flags, backup }, say);
          } finally {
            await store.close();
          }
        }),
  },
  {
    stage: 'keep',
    register: (program) =>
      program
        .command('restore')
        .description('put a backup into an empty data directory, or with DATABASE_URL into an empty database')
        .requiredOption('--from <file>', 'a file that `backup` wrote')
        .option('--data <dir>', 'data directory')
        .action(async (flags: { from: string; data?: string }) => {
          const { store, roots, servers } = await openKept(flags);
          const { restore } = await import('./backup/restore.ts');
          const { rowsOf } = await import('./backup/format.ts');
          try {
            const using = { newId: randomUUID, clock, sync: syncDirectory, lanes: servers };
            const manifest = await restore(store, roots, data(), resolve(flags.from), using);
            say(`${rowsOf(manifest)} rows and ${manifest.files.length} files are back`);
          } finally {
            await store.close();
          }
        }),
  },
];

const program = new Command('accession')
  .description('Accession from a terminal. ACCESSION_DATA says where the catalog is (default ./data).')
  .exitOverride();

const frame: CliFrame = {
  say,
  onStop,
  async loadFolders() {
    const [{ NodeFileTree }, { journalsInFile }] = await Promise.all([
      import('#adapters/node/file-tree.ts'),
      import('#adapters/node/rename-journal-store.ts'),
    ]);
    return {
      openTree: (directory) => NodeFileTree.open(resolve(directory)),
      openJournal: (path) => journalsInFile(path),
    };
  },
  async withPlans(directory, work) {
    if (directory !== undefined) process.env['ACCESSION_DATA'] = directory;
    const servers = await laneServers();
    const store = await openCatalog(servers);
    try {
      await work(await openPlans(servers, store));
    } finally {
      await store.close();
    }
  },
  async withLibrary(directory, work) {
    if (directory !== undefined) process.env['ACCESSION_DATA'] = directory;
    const { readConfigFile } = await import('#server/config-file.ts');
    const { library, llm } = await readConfigFile(process.env, data());
    const { openServerEmbedder } = await import('#server/llm/load-embedder.ts');
    const embedder = await openServerEmbedder(llm, { now: () => Date.now() });
    const store = await openCatalog(await laneServers());
    try {
      await work({ store, library, embedder });
    } finally {
      await store.close();
    }
  },
  async withGuides(directory, work) {
    if (directory !== undefined) process.env['ACCESSION_DATA'] = directory;
    const [{ readConfigFile }, { EventHub }, { createLog }] = await Promise.all([
      import('#server/config-file.ts'),
      import('#server/events.ts'),
      import('#server/log.ts'),
    ]);
    const { guide } = await readConfigFile(process.env, data());
    const servers = await laneServers();
    const store = await openCatalog(servers);
    const log = createLog((line) => void process.stderr.write(`${line}\n`));
    try {
      await work({ store, clock, ids: randomIds, log, events: new EventHub(), lanes: servers, guide });
    } finally {
      await store.close();
    }
  },
  async stepTools(place) {
    const given = await Promise.all(lanes.map(async ({ cli }) => (await cli?.())?.stepTools?.(place) ?? []));
    return given.flat();
  },
  openModel: async (flags, own) => (await import('./open-model.ts')).openModel(flags, own),
};

try {
  const ofLanes = await Promise.all(lanes.flatMap(({ cli }) => (cli === undefined ? [] : [cli()])));
  const commands = [...OWN, ...ofLanes.flatMap((lane) => lane.commands)];
  for (const stage of STAGES)
    for (const command of commands) if (command.stage === stage) command.register(program, frame);
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
