/**
 * Reads accession.toml. What is not understood is refused with file, table and key in one sentence; a value is never
 * repeated there, for it may be a secret.
 */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { raisedBy, type ToolBounds } from '#core/toolbox/cage.ts';
import { modelServer } from '#adapters/llm/providers/providers.ts';
import type { ProviderId } from '#core/agent/llm/providers.ts';
import { USUAL_DEFAULTS, type ServerDefaults } from '#core/agent/llm/wire.ts';
import { ConfigError, type Environment } from './config.ts';
import { FileSchema, type FileTables, BlobsTable } from './config-schema.ts';
import { type KeySetting, createKeySource } from './llm/key-source.ts';
import type { ScrubSettings } from './storage/scrub-settings.ts';
import type { UploadLimits } from './work/upload-limits.ts';
import type { Limits } from './llm/usage-limits.ts';
import { failed } from '#core/errors.ts';

/** Where audio is kept: on the disk, or in a bucket by `[blobs]` of accession.toml and the environment. */

export interface BlobsConfig {
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or ends with `/`. */
  prefix: string;
  pathStyle: boolean;
  accessKeyId: string;
  sessionToken: string | null;
  key: KeySetting;
}

/** Which variable says what a key of `[blobs]` says, too. The environment goes first. */
const VARIABLES = {
  endpoint: 'ACCESSION_S3_ENDPOINT',
  region: 'ACCESSION_S3_REGION',
  bucket: 'ACCESSION_S3_BUCKET',
  prefix: 'ACCESSION_S3_PREFIX',
  path_style: 'ACCESSION_S3_PATH_STYLE',
  access_key_id: 'AWS_ACCESS_KEY_ID',
} as const;

/**
 * null: on the disk, for nothing is said of a bucket.
 * @param file how messages call accession.toml
 * @throws ConfigError for a bucket whose name, region or key is not said, or said wrongly
 */
function blobsOf(
  table: v.InferOutput<typeof BlobsTable> | undefined,
  env: Environment,
  file: string,
): BlobsConfig | null {
  if (table === undefined && said(env, 'bucket') === null) return null;
  const { endpoint, region = 'us-east-1', bucket, ...rest } = { ...table, ...fromEnvironment(env) };
  if (bucket === undefined)
    throw new ConfigError(`${file}: [blobs] "bucket" must be said (or ${VARIABLES.bucket} in the environment).`);
  const { prefix = '', path_style = endpoint !== undefined, access_key_id, secret_access_key_command } = rest;
  if (access_key_id === undefined)
    throw new ConfigError(`${file}: [blobs] "access_key_id" must be said (or ${VARIABLES.access_key_id}).`);
  const secret = env['AWS_SECRET_ACCESS_KEY']?.trim() ?? '';
  return {
    endpoint: (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, ''),
    region,
    bucket,
    prefix: prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`,
    pathStyle: path_style,
    accessKeyId: access_key_id,
    sessionToken: env['AWS_SESSION_TOKEN']?.trim() || null,
    key:
      secret !== ''
        ? { kind: 'fixed', key: secret }
        : secret_access_key_command === undefined
          ? { kind: 'none' }
          : { kind: 'command', command: secret_access_key_command },
  };
}

/**
 * The secret key of a bucket; its command is asked anew when the storage has refused what it said before.
 * @throws ConfigError where there is none
 */
export function secretOf({ key }: BlobsConfig): (refused: string | null) => Promise<string> {
  if (key.kind === 'none')
    throw new ConfigError(
      'The bucket needs its secret key: set AWS_SECRET_ACCESS_KEY, or [blobs] "secret_access_key_command".',
    );
  const source = createKeySource(key, { name: 'secret_access_key_command' });
  return async (refused) => {
    const found = refused === null ? await source.get() : await source.after(refused);
    if (!found.ok) throw failed('storage_failed', found.failure.message);
    return found.value ?? '';
  };
}

function said(env: Environment, key: keyof typeof VARIABLES): string | null {
  return env[VARIABLES[key]]?.trim() || null;
}

function fromEnvironment(env: Environment): v.InferOutput<typeof BlobsTable> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]) {
    const text = said(env, key);
    if (text === null) continue;
    const flag = text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : text;
    found[key] = key === 'path_style' ? flag : text;
  }
  const read = v.safeParse(BlobsTable, found);
  if (read.success) return read.output;
  const key = String(read.issues[0].path?.[0].key) as keyof typeof VARIABLES;
  throw new ConfigError(`${VARIABLES[key]} must be ${read.issues[0].message}.`);
}

/** Folders of this machine that the server's library has. */
export interface LibraryConfig {
  folders: {
    name: string;
    /** Absolute. */
    path: string;
    /** Permissions, and people by name or id. Administrators read every folder. */
    readers: string[];
  }[];
  /** Directory of agents in Markdown, absolute. */
  agents: string;
  /** How often a folder is looked through for changes, milliseconds. */
  everyMs: number;
  /** Of one folder. */
  mostFiles: number;
}

/** The model behind the broker. */
export interface LlmConfig {
  provider: ProviderId;
  base_url: string;
  model: string;
  /** Of the same server, for vectors of texts; null: it lends none. */
  embedding_model?: string | null;
  temperature: number;
  timeout_secs: number;
  /** Tokens; sent to Ollama. */
  context_length: number;
  key: KeySetting;
  limits: Limits;
}

/** What tools of a question may reach in the network. */
export interface ToolsConfig {
  /** Patterns of hosts; null: nothing is said. */
  allow: readonly string[] | null;
  /** null: the usual one. */
  search: { kind: 'mediawiki' | 'searxng'; url: string } | null;
}

/** Tools that compute, and sources that they ask. */
export interface ToolboxConfig {
  /** Names of connectors that the server asks; null: all that have hosts of their own, and those of [tools]. */
  sources: readonly string[] | null;
  /** Files in which connectors are declared; absolute. */
  connectors: readonly string[];
  /** Programs of this machine that a terminal's tools may run, by name: program and arguments. */
  commands: Readonly<Record<string, readonly string[]>>;
  /** What tools of a terminal may take at least. */
  raised: Partial<ToolBounds>;
}

/** Metadata sources of papers and books. */
export interface DocumentsConfig {
  /** A mail address that they are told; null: none. */
  contact: string | null;
  /** Who is asked for pages; null: all that there are. */
  sources: readonly string[] | null;
  /** Folders of this machine that are scanned and shown; absolute. */
  folders: readonly string[];
}

/** Guides of channels. */
export interface GuideConfig {
  /** Of guarded runs, as [ai_agent] calls them. */
  runs: {
    metadata_self_resolution_enabled: boolean;
    bounded_agent_enabled: boolean;
    metadata_self_resolution_cooldown_sec: number;
  };
  /** Where channels without an address of their own are streamed from, with `{number}` or `{id}`; null: nowhere. */
  streamUrl?: string | null;
  /** Whose items look-ups read, too; null: none. */
  mediaServer?: { kind: 'plex' | 'jellyfin'; url: string; tokenCommand: string } | null;
}

export interface FileConfig {
  /** null: there is no file. */
  path: string | null;
  /** null: the broker is off. */
  llm: LlmConfig | null;
  /** `[agent] enabled = false`. */
  agentOff: boolean;
  /** `enabled` and what workstations take over is in `defaults`. */
  ingestion: {
    temp_dir: string;
    /** null: not said. */
    max_upload_size_mb: number | null;
    ffmpeg_path: string;
    limits: UploadLimits;
  };
  /** The bucket that audio is kept in; null: it is on the disk. */
  blobs: BlobsConfig | null;
  /** Directories below which the server sees videos and renames them; absolute, none without the table. */
  video: { folders: string[] };
  library: LibraryConfig;
  /** How many workers of its own the server runs. */
  work: { inside: number };
  /** Names beside this machine's own under which the server is asked. */
  server: { hosts: string[] };
  /** How every file is read again in the background. */
  scrub: ScrubSettings;
  /** Tracks from which on search is answered by a process of its own; null: never. */
  search: { leastTracks: number | null };
  tools: ToolsConfig;
  toolbox: ToolboxConfig;
  documents: DocumentsConfig;
  guide: GuideConfig;
  /** What the models that playbooks name stand for: `PROVIDER/MODEL` by name; `*` is all. */
  playbooks: {
    models: Readonly<Record<string, string>>;
    /** The folder whose library runs of a worker ask; null: none. */
    library: string | null;
  };
  /** `[ask]`, as it is written. */
  ask: Readonly<Record<string, unknown>>;
  /** What GET /v1/config says, but for the size of uploads. */
  defaults: ServerDefaults;
  /** The file holds a key, and others than its owner may read it. */
  exposed: boolean;
}

/**
 * The file named by ACCESSION_CONFIG, else accession.toml in the data directory; without that, the defaults.
 * @param data the data directory, absolute
 * @throws ConfigError for a file that is named and not there, cannot be read, or says what is not understood
 */
export async function readConfigFile(env: Environment, data: string): Promise<FileConfig> {
  const named = env['ACCESSION_CONFIG']?.trim() ?? '';
  const path = named === '' ? join(data, 'accession.toml') : resolve(named);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' && named === '') return configOf({}, null, data, false, env);
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new ConfigError(`${path}: ${why}${named === '' ? '' : '; ACCESSION_CONFIG names it'}.`);
  }
  const shared = process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
  return configOf(readToml(text, path), path, data, shared, env);
}

/** @throws ConfigError with place and reason, without the line itself */
function readToml(text: string, path: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the library's message shows the lines around it.
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new ConfigError(`${path}: line ${error.line}, column ${error.column} is not TOML: ${why}.`);
  }
}

/** @throws ConfigError that names file, table and key */
export function configOf(
  tables: unknown,
  path: string | null,
  data: string,
  shared: boolean,
  env: Environment,
): FileConfig {
  const file = path ?? 'accession.toml';
  const read = v.safeParse(FileSchema, tables, { abortEarly: true });
  if (!read.success) throw new ConfigError(`${file}: ${explain(read.issues[0])}.`);
  const {
    agent,
    ingestion,
    blobs,
    video,
    library,
    work,
    server,
    scrub,
    search,
    tools,
    documents,
    ask,
    ai_agent,
    guide,
    playbooks,
    toolbox,
  } = read.output;
  // Also what is switched off has to be right.
  const model = agent === undefined ? null : llmOf(agent, file);
  const llm = agent?.enabled === true ? model : null;
  const place = (text: string): string => text.replaceAll('{db_dir}', data);
  return {
    path,
    llm,
    agentOff: agent?.enabled === false,
    ingestion: {
      temp_dir: resolve(data, place(ingestion.temp_dir)),
      max_upload_size_mb: ingestion.max_upload_size_mb ?? null,
      ffmpeg_path: place(ingestion.ffmpeg_path),
      limits: limitsOf(ingestion.limits),
    },
    blobs: blobsOf(blobs, env, file),
    video: { folders: [...new Set(video.folders)] },
    library: {
      folders: library.folders,
      agents: resolve(data, place(library.agents)),
      everyMs: library.every_minutes * 60_000,
      mostFiles: library.files_per_folder,
    },
    work,
    server,
    search: { leastTracks: search.process_from_tracks === 0 ? null : search.process_from_tracks },
    scrub: {
      enabled: scrub.enabled,
      bytesPerSecond: scrub.mb_per_second * 1_048_576,
      everyMs: scrub.every_days * 86_400_000,
      repair: scrub.repair,
    },
    tools: { allow: tools.allow ?? null, search: tools.search ?? null },
    toolbox: {
      ...{ sources: toolbox.sources ?? null, commands: toolbox.commands },
      connectors: toolbox.connectors.map((file) => resolve(data, place(file))),
      raised: raisedBy(toolbox.limits),
    },
    documents: {
      ...{ contact: documents.contact ?? null, sources: documents.sources ?? null },
      folders: [...new Set(documents.folders)],
    },
    guide: { runs: ai_agent, streamUrl: guide.stream_url ?? null, mediaServer: mediaServerOf(guide) },
    ask,
    playbooks: {
      models: playbooks.models,
      library: playbooks.library === undefined ? null : resolve(data, place(playbooks.library)),
    },
    defaults: {
      ...USUAL_DEFAULTS,
      ...(agent === undefined
        ? {}
        : { max_iterations: agent.max_iterations, strategy: agent.strategy, lend: agent.lend }),
      ...(agent === undefined ? {} : { timeout_secs: agent.llm.timeout_secs, temperature: agent.llm.temperature }),
      broker: llm !== null,
      provider: llm?.provider ?? null,
      model: llm?.model ?? null,
      ingestion: ingestion.enabled,
      auto_approve_threshold: ingestion.auto_approve_threshold,
      output_bitrate: ingestion.output_bitrate,
    },
    exposed: shared && agent?.llm.api_key !== undefined,
  };
}

function limitsOf(table: FileTables['ingestion']['limits']): UploadLimits {
  return {
    files: table.files_per_upload,
    fields: table.fields_per_upload,
    totalBytes: table.upload_total_mb * 1_048_576,
    waitingBytes: table.waiting_mb_per_user * 1_048_576,
    unfinishedBytes: table.unfinished_mb_per_user * 1_048_576,
    unfinishedTotalBytes: table.unfinished_mb_in_all * 1_048_576,
    unfinishedMs: table.unfinished_days * 86_400_000,
    bytesPerSecond: table.least_bytes_per_second,
  };
}

function mediaServerOf({ media_server: server }: FileTables['guide']): NonNullable<GuideConfig['mediaServer']> | null {
  if (server === undefined) return null;
  return { kind: server.kind, url: server.url.replace(/\/+$/, ''), tokenCommand: server.token_command };
}

type AgentTable = NonNullable<FileTables['agent']>;

function llmOf({ llm, limits }: AgentTable, file: string): LlmConfig {
  const { provider, temperature, timeout_secs, context_length, embedding_model = null } = llm;
  const server = modelServer(provider);
  const model = llm.model ?? server?.usualModel ?? null;
  if (model === null)
    throw new ConfigError(`${file}: [agent.llm] "model" must be said for the provider "${provider}".`);
  const base_url = llm.base_url ?? server?.usualAddress ?? '';
  const said = { provider, base_url, model, embedding_model, temperature, timeout_secs, context_length };
  return { ...said, key: keyOf(llm, file), limits };
}

function keyOf({ api_key, api_key_command }: AgentTable['llm'], file: string): KeySetting {
  if (api_key !== undefined && api_key_command !== undefined)
    throw new ConfigError(`${file}: [agent.llm] has both "api_key" and "api_key_command"; keep one of them.`);
  if (api_key !== undefined) return { kind: 'fixed', key: api_key };
  return api_key_command === undefined ? { kind: 'none' } : { kind: 'command', command: api_key_command };
}

/** `[agent.llm] "temperature" must be a number from 0 to 2` */
function explain(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map((item) => String(item.key)) ?? [];
  const key = keys.at(-1) ?? '';
  const place = keys.length > 1 ? `[${keys.slice(0, -1).join('.')}]` : 'the file';
  const unknown = issue.type === 'strict_object' && issue.expected === 'never';
  if (unknown) return `${place} has no ${keys.length > 1 ? 'key' : 'table'} "${key}"`;
  return `${keys.length > 1 ? `${place} ` : ''}"${key}" must be ${issue.message}`;
}
