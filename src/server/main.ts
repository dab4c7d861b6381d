/** Builds the server from the environment, runs it, and prints the link that signs the browser in. */
import { messageOf, isCode } from '#core/errors.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { modelServer } from '#adapters/llm/providers/providers.ts';
import { keptSecret, readTextIfThere, syncDirectory, writeFileAtomic, checkDisk } from '#adapters/node/atomic-file.ts';
import { databaseTrouble } from '#adapters/node/check-database.ts';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import { openDiskOriginals } from '#adapters/node/disk-originals.ts';
import { openLastCommit } from '#adapters/node/last-commit.ts';
import { holdDirectory } from '#adapters/node/lock-file.ts';
import { planDisk } from '#adapters/node/plan-disk.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { randomIds } from '#core/ids.ts';
import { lanes as allLanes } from '#lanes/lanes.ts';
import { UrlSigner } from './auth/signed-url.ts';
import { makeLinkToken, setAdminToken, tokenAuth } from './auth/tokens.ts';
import { secretOf, type BlobsConfig, readConfigFile, type FileConfig, type LlmConfig } from './config-file.ts';
import { ConfigError, dataDirectory, readConfig, type ServerConfig } from './config.ts';
import { EventHub } from './events.ts';
import { besideProcesses } from './beside/beside.ts';
import { onFirstStart, startServer, type RunningServer } from './start.ts';
import type { LaneServer } from './lane-server.ts';
import { createServerBroker, type MakeProvider } from './llm/broker.ts';
import { loadEmbedder } from './llm/load-embedder.ts';
import { createLog } from './log.ts';
import { serverKinds, type PlanDeps } from './plans/server-plans.ts';
import { openSearching } from './search/searching.ts';
import { databaseFailure } from './store/database-failure.ts';
import { historyTrouble, type LastCommit } from './store/history.ts';
import { NewerDatabase } from './store/migrate.ts';
import { openSnapshotting } from './snapshot/snapshotting.ts';
import { openStore, type Store, type StoreSource } from './store/store.ts';
import { noteLost } from './storage/damage.ts';
import { createScrub } from './storage/scrub.ts';
import { setWorkerToken, startInsideWorkers, type InsideWorkers } from './work/inside-workers.ts';

// How much more memory, of what is in use, V8 takes before it looks for garbage. Of itself it takes up to four times as
// much, and what a hundred people ask for leaves so much garbage that a server's memory is mostly that.
setFlagsFromString('--heap-growing-percent=40');

const clock = { now: () => Date.now() };
const log = createLog((line) => void process.stderr.write(`${line}\n`));

const durable = { read: readTextIfThere, write: writeFileAtomic, sync: syncDirectory };

/** How the model of accession.toml is made. */
async function loadProvider({ provider }: LlmConfig): Promise<MakeProvider> {
  const create = await modelServer(provider)?.load();
  if (create === undefined) throw new ConfigError(`"${provider}" is no server of models.`);
  return ({ base_url: baseUrl, model, context_length: contextLength }, key) =>
    create({ baseUrl, model, contextLength, clock, key, asksToFind: false });
}

async function run(config: ServerConfig, file: FileConfig): Promise<{ server: RunningServer; announce: () => void }> {
  const data = resolve(config.data);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const laneServers = await Promise.all(allLanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));
  const source = await storeSource(config.databaseUrl, data);
  const last: LastCommit = openLastCommit(join(data, 'last-commit'));
  last.lost = (sentence) =>
    void sayLost(store, sentence).catch((error: unknown) =>
      log.warn('it could not be noted', { error: String(error) }),
    );
  const store = await openStore(source, randomUUID, laneServers, last);
  await sayLost(store, await historyTrouble(store.db, last.before));
  const originals = await openDiskOriginals(file.ingestion.temp_dir);
  const media = await openMedia(file.blobs, data, store.shared);
  const newSecret = (): string => randomBytes(32).toString('base64url');
  const token = config.token ?? (await keptSecret(join(data, 'admin-token'), newSecret));
  await setAdminToken(store, clock, token);
  const linkToken = await makeLinkToken(store, { clock, ids: randomIds });
  const shown = config.demo ? laneServers : [];
  if (await onFirstStart(store, { ids: randomIds, clock }, shown)) log.info('demo catalog loaded');

  const build = fileURLToPath(new URL('../../build', import.meta.url));
  if (!existsSync(build)) log.warn('the app is not built: only the API is served', { build });
  const events = new EventHub();
  const using = {
    store,
    blobs: media.blobs,
    clock,
    log,
    events,
    directory: data,
    files: durable,
    library: file.library,
    tools: file.tools,
    toolbox: file.toolbox,
    documents: file.documents,
    guide: file.guide,
    searching:
      file.search.leastTracks === null
        ? null
        : openSearching({
            ...{ db: store.db, clock, log, data, databaseUrl: config.databaseUrl },
            least: file.search.leastTracks,
          }),
    snapshotting: openSnapshotting({ data, databaseUrl: config.databaseUrl }),
  };
  const lanes = await Promise.all(laneServers.map(async (lane) => (await lane.open?.(using)) ?? lane));
  const server = await startServer(
    {
      store,
      blobs: media.blobs,
      originals,
      uploads: media.uploads,
      checkBlobs: media.check,
      clock,
      ids: randomIds,
      auth: tokenAuth(store, clock),
      signer: new UrlSigner(await keptSecret(join(data, 'url-key'), newSecret)),
      events,
      log,
      checkDisk: () => checkDisk(data),
      checkOriginals: () => checkDisk(file.ingestion.temp_dir),
      version: productVersion(),
      origins: config.origins,
      hosts: config.hosts,
      trustedProxies: config.trustedProxies,
      maxUploadBytes: config.maxUploadBytes,
      uploadLimits: file.ingestion.limits,
      defaults: { ...file.defaults, max_upload_size_mb: config.maxUploadBytes / 1_048_576 },
      broker:
        file.llm === null
          ? null
          : createServerBroker(file.llm, {
              ...{ store, clock, log, provider: await loadProvider(file.llm) },
              embedder: await loadEmbedder(file.llm, clock),
            }),
      brokerOff: file.agentOff,
      plans: openPlans(join(data, 'plans'), { roots: file.video.folders, others: file.documents.folders }, lanes),
      lanes,
      beside: besideProcesses({ data, databaseUrl: config.databaseUrl }, { store, clock }),
      appDirectory: existsSync(build) ? build : null,
    },
    config.port,
  );
  const workers = file.defaults.ingestion
    ? await openWorkers(config.insideWorkers, { store, data, url: server.url, newSecret })
    : null;
  const scrub = createScrub({ store, blobs: media.blobs, originals, lanes, clock, log }, file.scrub, randomUUID());
  scrub.begin();
  if (file.exposed) log.warn('accession.toml holds a key and may be read by others: chmod 600', { path: file.path });
  return {
    server: {
      ...server,
      async close() {
        // First: they give back what they hold while the server still answers.
        await workers?.close();
        await scrub.close();
        await server.close();
      },
    },
    announce: () => {
      log.info('serving', { port: server.port, data, model: file.llm?.model ?? null });
      // The one line on stdout. A fragment is never sent anywhere and is in no log.
      process.stdout.write(`${server.url}/#token=${encodeURIComponent(linkToken)}\n`);
    },
  };
}

/** A database that is older than what was last answered from it has lost something: in the log, and in Settings. */
async function sayLost(store: Store, lost: string | null): Promise<void> {
  if (lost === null) return;
  log.error(lost, { what_to_do: 'Workstations publish again what they have; accession verify names what is missing.' });
  await store.write((tx) => noteLost(tx, lost, clock.now()));
}

/** Those of this server; null where it is to have none. */
async function openWorkers(
  count: number,
  { store, data, url, newSecret }: { store: Store; data: string; url: string; newSecret: () => string },
): Promise<InsideWorkers | null> {
  if (count === 0) return null;
  const token = await keptSecret(join(data, 'worker-token'), newSecret);
  await setWorkerToken(store, clock, token);
  return startInsideWorkers({ count, url, token, data, clock, log });
}

/** Plans as files under the data directory, and the folders of videos and of documents that accession.toml names. */
function openPlans(
  directory: string,
  { roots, others }: Record<'roots' | 'others', readonly string[]>,
  servers: readonly LaneServer[],
): PlanDeps {
  const lanes = servers.flatMap(({ plans }) => plans ?? []);
  const missing = roots.filter((root) => !existsSync(root));
  if (missing.length > 0) log.warn('folders of [video] are not there now', { folders: missing });
  const say = (sentence: string): void => log.warn(sentence);
  return { lanes, ...planDisk(directory, { kinds: serverKinds(lanes), roots, others, say }) };
}

/** On the disk, or in a bucket that is tried out first. */
async function openMedia(config: BlobsConfig | null, data: string, shared: boolean) {
  if (config === null) {
    const media = await openDiskMedia(data, { shared });
    return { blobs: media, uploads: media.uploads, check: null };
  }
  const [{ createS3Client }, { openS3Media }] = await Promise.all([
    import('#adapters/node/s3-client.ts'),
    import('#adapters/node/s3-media-store.ts'),
  ]);
  const media = await openS3Media(data, createS3Client({ ...config, secret: secretOf(config) }));
  const { refusesOverwriting } = await media.prepare(clock.now()).catch((error: unknown) => {
    throw new ConfigError(`${messageOf(error)} Check [blobs] and its variables (docs/CONFIG.md).`);
  });
  const where = { endpoint: config.endpoint, bucket: config.bucket };
  log.info('audio is kept in a bucket', { ...where, prefix: config.prefix });
  if (!refusesOverwriting) log.warn('the storage ignores If-None-Match: only looking keeps names apart', where);
  return { blobs: media, uploads: media.uploads, check: () => media.check() };
}

/** A data directory has one server; a PostgreSQL database may have many. */
async function storeSource(databaseUrl: string | null, data: string): Promise<StoreSource> {
  if (databaseUrl !== null) return (await import('#adapters/node/postgres-dialect.ts')).postgresSource(databaseUrl);
  if (!(await holdDirectory(data))) throw new ConfigError(inUse(data));
  const trouble = databaseTrouble(data, process.argv.includes('--new'));
  if (trouble !== null) throw new ConfigError(trouble);
  return sqliteFile(join(data, 'catalog.db'));
}

function inUse(data: string): string {
  return `Another Accession server works on ${data}: stop it, or set ACCESSION_DATA to another directory (several servers side by side need PostgreSQL, see docs/OPERATIONS.md).`;
}

function productVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

function explain(error: unknown, port: number | null): string {
  if (error instanceof ConfigError || error instanceof NewerDatabase) return error.message;
  const database = databaseFailure(error);
  if (database?.setup) return `${database.message} Check DATABASE_URL.`;
  if (database?.kind === 'full' || isCode(error, 'ENOSPC', 'EDQUOT'))
    return 'There is no space left for the data (ACCESSION_DATA): free some and start again; nothing is lost.';
  if (database?.kind === 'gone') return database.message;
  if (database?.kind === 'damaged')
    return `${database.message} Put a copy of it back, or a backup into an empty one (docs/OPERATIONS.md); nothing was changed.`;
  if (isCode(error, 'EROFS', 'EIO'))
    return 'The disk of the data (ACCESSION_DATA) takes no writes: look at it and start again; nothing is lost.';
  if (isCode(error, 'EADDRINUSE'))
    return `Port ${port ?? ''} is in use by another program: stop it, or set PORT to another number.`;
  if (isCode(error, 'EACCES'))
    return `Port ${port ?? ''} or the data directory may not be used: set PORT or ACCESSION_DATA to another one.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

let port: number | null = null;
try {
  const file = await readConfigFile(process.env, resolve(dataDirectory(process.env)));
  const { ingestion, work, server: asked } = file;
  const said = { uploadMb: ingestion.max_upload_size_mb, inside: work.inside, hosts: asked.hosts };
  const config = readConfig(process.env, said);
  port = config.port;
  const { server, announce } = await run(config, file);
  let stopping = false;
  const stop = (signal: string): void => {
    // Whoever asks twice does not want to wait for what is under way.
    if (stopping) process.exit(1);
    stopping = true;
    log.info('stopping', { signal });
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('the server did not stop cleanly', { error: String(error) });
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Only now: whoever reads the line may ask it to stop at once.
  announce();
} catch (error) {
  process.stderr.write(`accession: ${explain(error, port)}\n`);
  process.exit(1);
}
