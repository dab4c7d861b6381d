/** Every key of accession.toml: what it changes. A key of the schema that is not in this table fails. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'smol-toml';
import * as v from 'valibot';
import { withModel } from '../../../src/cli/work.ts';
import { workSettings } from '#adapters/work/ask-defaults.ts';
import { ASK_DEFAULTS, askOptions } from '#lanes/library/core/ask/run/options.ts';
import { readConfig } from '#server/config.ts';
import { configOf, type FileConfig } from '#server/config-file.ts';
import { FileSchema } from '#server/config-schema.ts';

const DATA = '/srv/accession';

/** What the worker makes of it, with the server's own answer of GET /v1/config. */
const worker = (file: FileConfig) => withModel(workSettings(file.defaults), file.defaults, file, true);

interface Effect {
  value: unknown;
  /** Other keys that it needs. */
  beside?: Record<string, unknown>;
  /** What the server, or a worker, goes by. */
  seen: (file: FileConfig) => unknown;
  becomes: unknown;
}

type Bucket = NonNullable<FileConfig['blobs']>;

function seenAs(name: keyof Bucket, becomes: unknown): Pick<Effect, 'seen' | 'becomes'> {
  return { seen: ({ blobs }) => blobs?.[name], becomes };
}

function bucket(name: keyof Bucket, becomes: unknown): Pick<Effect, 'beside' | 'seen' | 'becomes'> {
  return { beside: { bucket: 'usual', access_key_id: 'id' }, ...seenAs(name, becomes) };
}

const EFFECTS: Record<string, Effect> = {
  'search.process_from_tracks': { value: 7, seen: ({ search }) => search.leastTracks, becomes: 7 },
  'scrub.enabled': { value: false, seen: ({ scrub }) => scrub.enabled, becomes: false },
  'scrub.mb_per_second': { value: 0.5, seen: ({ scrub }) => scrub.bytesPerSecond, becomes: 524_288 },
  'scrub.every_days': { value: 7, seen: ({ scrub }) => scrub.everyMs, becomes: 604_800_000 },
  'scrub.repair': { value: false, seen: ({ scrub }) => scrub.repair, becomes: false },
  'agent.enabled': { value: false, seen: ({ llm, defaults }) => [llm, defaults.broker], becomes: [null, false] },
  'agent.max_iterations': {
    value: 7,
    seen: (file) => worker(file).llm_max_iterations,
    becomes: 7,
  },
  'agent.strategy': { value: 'tools', seen: (file) => worker(file).llm_strategy, becomes: 'tools' },
  'agent.lend': { value: 'all', seen: ({ defaults }) => defaults.lend, becomes: 'all' },
  'agent.llm.provider': {
    value: 'openai',
    beside: { model: 'm' },
    seen: (file) => [file.llm?.base_url, worker(file).llm_provider],
    becomes: ['https://api.openai.com/v1', 'openai'],
  },
  'agent.llm.base_url': {
    value: 'http://models.internal:8000',
    seen: (file) => worker(file).llm_base_url,
    becomes: 'http://models.internal:8000',
  },
  'agent.llm.model': { value: 'qwen3:4b', seen: (file) => worker(file).llm_model, becomes: 'qwen3:4b' },
  'agent.llm.embedding_model': {
    value: 'nomic-embed-text',
    seen: ({ llm }) => llm?.embedding_model,
    becomes: 'nomic-embed-text',
    beside: { model: 'qwen3:4b' },
  },
  'agent.llm.temperature': { value: 0.7, seen: (file) => worker(file).llm_temperature, becomes: 0.7 },
  'agent.llm.timeout_secs': { value: 33, seen: (file) => worker(file).llm_timeout_secs, becomes: 33 },
  'agent.llm.context_length': {
    value: 4096,
    seen: (file) => worker(file).llm_context_length,
    becomes: 4096,
  },
  'agent.llm.api_key': { value: 'k-1', seen: ({ llm }) => llm?.key, becomes: { kind: 'fixed', key: 'k-1' } },
  'agent.llm.api_key_command': {
    value: 'cat key',
    seen: ({ llm }) => llm?.key,
    becomes: { kind: 'command', command: 'cat key' },
  },
  'agent.limits.requests_per_minute': {
    value: 5,
    seen: ({ llm }) => llm?.limits.requests_per_minute,
    becomes: 5,
  },
  'agent.limits.tokens_per_day': { value: 9, seen: ({ llm }) => llm?.limits.tokens_per_day, becomes: 9 },
  'ingestion.enabled': { value: false, seen: ({ defaults }) => defaults.ingestion, becomes: false },
  'ingestion.temp_dir': {
    value: '{db_dir}/elsewhere',
    seen: ({ ingestion }) => ingestion.temp_dir,
    becomes: `${DATA}/elsewhere`,
  },
  'ingestion.max_upload_size_mb': {
    value: 3,
    // What is uploaded over HTTP; what a workstation stages has a limit of its own.
    seen: ({ ingestion, defaults }) => [
      readConfig({}, { uploadMb: ingestion.max_upload_size_mb, inside: 0 }).maxUploadBytes,
      defaults.max_upload_size_mb,
    ],
    becomes: [3 * 1024 * 1024, configOf({}, null, DATA, false, {}).defaults.max_upload_size_mb],
  },
  'ingestion.auto_approve_threshold': {
    value: 0.97,
    seen: (file) => worker(file).auto_approve_threshold,
    becomes: 0.97,
  },
  'work.inside': { value: 0, seen: ({ work }) => work.inside, becomes: 0 },
  'ingestion.ffmpeg_path': {
    value: '{db_dir}/ffmpeg',
    seen: ({ ingestion }) => ingestion.ffmpeg_path,
    becomes: `${DATA}/ffmpeg`,
  },
  'ingestion.output_bitrate': {
    value: '256k',
    seen: (file) => worker(file).output_bitrate,
    becomes: '256k',
  },
  // What the server does by them: tests/contract/server-upload-limits.test.ts.
  'ingestion.limits.files_per_upload': { value: 3, seen: ({ ingestion }) => ingestion.limits.files, becomes: 3 },
  'ingestion.limits.fields_per_upload': { value: 3, seen: ({ ingestion }) => ingestion.limits.fields, becomes: 3 },
  'ingestion.limits.upload_total_mb': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.totalBytes,
    becomes: 3 * 1024 * 1024,
  },
  'ingestion.limits.waiting_mb_per_user': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.waitingBytes,
    becomes: 3 * 1024 * 1024,
  },
  'ingestion.limits.unfinished_mb_per_user': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.unfinishedBytes,
    becomes: 3 * 1024 * 1024,
  },
  'ingestion.limits.unfinished_mb_in_all': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.unfinishedTotalBytes,
    becomes: 3 * 1024 * 1024,
  },
  'ingestion.limits.unfinished_days': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.unfinishedMs,
    becomes: 3 * 86_400_000,
  },
  'ingestion.limits.least_bytes_per_second': {
    value: 3,
    seen: ({ ingestion }) => ingestion.limits.bytesPerSecond,
    becomes: 3,
  },
  // What the server does by it: tests/contract/server-plans.test.ts. Nobody is told: GET /v1/config has no paths.
  'video.folders': {
    value: ['/media/tv/', '/media/anime', '/media/tv'],
    seen: ({ video, defaults }) => [video.folders, JSON.stringify(defaults).includes('/media')],
    becomes: [['/media/tv', '/media/anime'], false],
  },
  // Its keys are those of `accession ask` (below).
  ask: { value: { iterations: 5 }, seen: (file) => file.ask, becomes: { iterations: 5 } },
  'playbooks.models': {
    value: { '*': 'ollama/qwen3:8b' },
    seen: ({ playbooks }) => playbooks.models,
    becomes: { '*': 'ollama/qwen3:8b' },
  },
  'playbooks.library': {
    value: 'notes',
    seen: ({ playbooks }) => playbooks.library,
    becomes: `${DATA}/notes`,
  },
  'toolbox.sources': { value: ['wikipedia'], seen: ({ toolbox }) => toolbox.sources, becomes: ['wikipedia'] },
  'toolbox.connectors': {
    value: ['own.yaml'],
    seen: ({ toolbox }) => toolbox.connectors,
    becomes: [`${DATA}/own.yaml`],
  },
  'toolbox.limits.seconds': { value: 60, seen: ({ toolbox }) => toolbox.raised.timeMs, becomes: 60_000 },
  'toolbox.limits.memory_mb': { value: 2048, seen: ({ toolbox }) => toolbox.raised.memoryMb, becomes: 2048 },
  'toolbox.limits.result_kb': { value: 512, seen: ({ toolbox }) => toolbox.raised.resultBytes, becomes: 524_288 },
  'toolbox.limits.input_mb': { value: 20, seen: ({ toolbox }) => toolbox.raised.inputBytes, becomes: 20_971_520 },
  'toolbox.commands': {
    value: { gnuplot: ['gnuplot', '-'] },
    seen: ({ toolbox }) => toolbox.commands,
    becomes: { gnuplot: ['gnuplot', '-'] },
  },
  'tools.allow': { value: ['*.example.org'], seen: ({ tools }) => tools.allow, becomes: ['*.example.org'] },
  'tools.search.kind': {
    value: 'searxng',
    beside: { url: 'https://search.example.org/search' },
    seen: ({ tools }) => tools.search?.kind,
    becomes: 'searxng',
  },
  'tools.search.url': {
    value: 'https://search.example.org/search',
    beside: { kind: 'searxng' },
    seen: ({ tools }) => tools.search?.url,
    becomes: 'https://search.example.org/search',
  },
  'ai_agent.metadata_self_resolution_enabled': {
    value: true,
    seen: ({ guide }) => guide.runs.metadata_self_resolution_enabled,
    becomes: true,
  },
  'ai_agent.bounded_agent_enabled': {
    value: false,
    seen: ({ guide }) => guide.runs.bounded_agent_enabled,
    becomes: false,
  },
  'ai_agent.metadata_self_resolution_cooldown_sec': {
    value: 30,
    seen: ({ guide }) => guide.runs.metadata_self_resolution_cooldown_sec,
    becomes: 30,
  },
  'guide.stream_url': {
    value: 'http://tuner.lan/{number}.ts',
    seen: ({ guide }) => guide.streamUrl,
    becomes: 'http://tuner.lan/{number}.ts',
  },
  'guide.media_server.kind': {
    value: 'jellyfin',
    beside: { url: 'http://media.lan:8096', token_command: 'cat token' },
    seen: ({ guide }) => guide.mediaServer?.kind,
    becomes: 'jellyfin',
  },
  'guide.media_server.url': {
    value: 'http://media.lan:32400/',
    beside: { kind: 'plex', token_command: 'cat token' },
    seen: ({ guide }) => guide.mediaServer?.url,
    becomes: 'http://media.lan:32400',
  },
  'guide.media_server.token_command': {
    value: 'cat token',
    beside: { kind: 'plex', url: 'http://media.lan:32400' },
    seen: ({ guide }) => guide.mediaServer?.tokenCommand,
    becomes: 'cat token',
  },
  'documents.contact': {
    value: 'library@example.org',
    seen: ({ documents }) => documents.contact,
    becomes: 'library@example.org',
  },
  'documents.folders': {
    value: ['/srv/papers/', '/srv/papers'],
    seen: ({ documents }) => documents.folders,
    becomes: ['/srv/papers'],
  },
  'documents.sources': { value: ['arxiv'], seen: ({ documents }) => documents.sources, becomes: ['arxiv'] },
  'library.agents': { value: '{db_dir}/own', seen: ({ library }) => library.agents, becomes: '/srv/accession/own' },
  'library.every_minutes': { value: 3, seen: ({ library }) => library.everyMs, becomes: 180_000 },
  'library.files_per_folder': { value: 3, seen: ({ library }) => library.mostFiles, becomes: 3 },
  'library.folders': {
    value: [{ name: 'Handbook', path: '/srv/handbook/', readers: ['ReadCatalog', 'Vera'] }],
    seen: ({ library, defaults }) => [library.folders, JSON.stringify(defaults).includes('/srv')],
    becomes: [[{ name: 'Handbook', path: '/srv/handbook', readers: ['ReadCatalog', 'Vera'] }], false],
  },
  'server.hosts': {
    value: ['Music.example', 'nas'],
    seen: ({ server }) => readConfig({}, { uploadMb: null, inside: 0, hosts: server.hosts }).hosts,
    becomes: ['music.example', 'nas'],
  },
  'blobs.endpoint': { value: 'https://s3.internal', ...bucket('endpoint', 'https://s3.internal') },
  'blobs.region': { value: 'eu-west-1', ...bucket('region', 'eu-west-1') },
  'blobs.bucket': { value: 'music', beside: { access_key_id: 'id' }, ...seenAs('bucket', 'music') },
  'blobs.prefix': { value: 'audio', ...bucket('prefix', 'audio/') },
  'blobs.path_style': { value: true, ...bucket('pathStyle', true) },
  'blobs.access_key_id': { value: 'AKIA', beside: { bucket: 'usual' }, ...seenAs('accessKeyId', 'AKIA') },
  'blobs.secret_access_key_command': {
    value: 'cat secret',
    ...bucket('key', { kind: 'command', command: 'cat secret' }),
  },
};

const PROCESS = ['contract/server-process.test.ts', 'OPS-7 OPS-20: goes by what [ingestion] of its file says'] as const;
const LENT = ['contract/server-llm-process.test.ts', 'LLM-60: the program takes accession.toml'] as const;
const ASKED = ['contract/server-llm.test.ts', 'LLM-66: text comes while the model writes'] as const;
const LIMITS = 'contract/server-upload-limits.test.ts';
const GATES = ['contract/server-guide-runs.test.ts', 'OPS-60 what accession.toml says of runs'] as const;
const ITEMS = ['contract/server-guide-media.test.ts', 'GUIDE-131 a refresh says'] as const;
const WRONG_BUCKET = ['contract/media-store-s3.test.ts', 'STORE-23 a wrong bucket, key, region or address'] as const;

/** The test that shows what the server, or a worker, then does: its file below tests/, and how its title begins. */
const SHOWN: Record<string, readonly [file: string, title: string]> = {
  'agent.enabled': ['contract/server-llm.test.ts', 'LLM-69: it wants the permission, and a model'],
  'agent.max_iterations': ['unit/agent/executor.test.ts', 'AGENT-14 stops after its model calls'],
  'agent.strategy': ['unit/agent/tools.test.ts', 'AGENT-19 a broker counts'],
  'agent.lend': ['contract/server-llm.test.ts', 'API-87: an administrator sets it on for all'],
  'agent.llm.provider': LENT,
  'agent.llm.base_url': LENT,
  'agent.llm.model': LENT,
  'agent.llm.embedding_model': ['contract/embedder.test.ts', 'LIBRARY-99: it wants Work and a model'],
  'agent.llm.temperature': ASKED,
  'agent.llm.timeout_secs': ASKED,
  'agent.llm.context_length': ['unit/llm/wire.test.ts', 'LLM-56 num_ctx goes with every call'],
  'agent.llm.api_key': ASKED,
  'agent.llm.api_key_command': ['contract/server-llm-secret.test.ts', 'LLM-64: the command runs once'],
  'agent.limits.requests_per_minute': ['contract/server-llm.test.ts', 'LLM-70: requests a minute: 429'],
  'agent.limits.tokens_per_day': ['contract/server-llm.test.ts', 'LLM-71: tokens a day'],
  'ingestion.enabled': ['contract/server-llm.test.ts', 'LLM-74: [ingestion] enabled = false'],
  'ingestion.temp_dir': PROCESS,
  'ingestion.max_upload_size_mb': PROCESS,
  'ingestion.auto_approve_threshold': ['unit/work/match.test.ts', 'WORK-9 each file'],
  'search.process_from_tracks': ['contract/server-searching.test.ts', 'SYNC-83 a small catalog has no process'],
  'scrub.enabled': ['contract/server-history.test.ts', 'OPS-46 a server reads its files by itself'],
  'scrub.mb_per_second': ['contract/scrub.test.ts', 'OPS-46 a pass reads every file no faster'],
  'scrub.every_days': ['contract/scrub.test.ts', 'OPS-46 a pass reads every file no faster'],
  'scrub.repair': ['contract/scrub.test.ts', 'OPS-46 without `repair` nothing is changed'],
  'work.inside': ['contract/server-inside-worker.test.ts', 'WORK-40 an upload is finished'],
  'ingestion.ffmpeg_path': ['contract/worker.test.ts', 'WORK-7 killed in the middle'],
  'ingestion.output_bitrate': ['unit/job/convert-request.test.ts', 'WORK-13 the bitrate of the settings'],
  'ingestion.limits.files_per_upload': PROCESS,
  'ingestion.limits.fields_per_upload': PROCESS,
  'ingestion.limits.upload_total_mb': PROCESS,
  'ingestion.limits.waiting_mb_per_user': PROCESS,
  'ingestion.limits.unfinished_mb_per_user': PROCESS,
  'ingestion.limits.unfinished_mb_in_all': [LIMITS, 'UPLOAD-6 all people’s together have a bound'],
  'ingestion.limits.unfinished_days': [LIMITS, 'UPLOAD-7 what got no byte for its days'],
  'ingestion.limits.least_bytes_per_second': [LIMITS, 'UPLOAD-8 bytes that trickle are 408'],
  'video.folders': ['contract/server-plans.test.ts', 'PLAN-50 only folders below the roots are seen'],
  ask: ['unit/cli/ask-one.test.ts', 'ASK-57 flags go over the configuration file, that over accession.toml'],
  'playbooks.models': ['unit/cli/playbook.test.ts', 'PLAYBOOK-32 what a model is mapped to'],
  'playbooks.library': ['contract/playbook-work.test.ts', 'PLAYBOOK-87 accession work takes a run'],
  'toolbox.sources': ['contract/server-connectors.test.ts', 'API-160 a server asks'],
  'toolbox.connectors': ['contract/server-connectors.test.ts', 'API-161 connectors that its operator declared'],
  'toolbox.limits.seconds': ['unit/toolbox/bounds.test.ts', 'TOOLBOX-84 the settings raise'],
  'toolbox.limits.memory_mb': ['unit/toolbox/bounds.test.ts', 'TOOLBOX-84 the settings raise'],
  'toolbox.limits.result_kb': ['unit/toolbox/bounds.test.ts', 'TOOLBOX-84 the settings raise'],
  'toolbox.limits.input_mb': ['unit/toolbox/bounds.test.ts', 'TOOLBOX-84 the settings raise'],
  'toolbox.commands': ['contract/toolbox-commands.test.ts', 'TOOLBOX-60 a command'],
  'tools.allow': ['contract/server-web.test.ts', 'API-120 a page of a domain'],
  'tools.search.kind': ['contract/server-web.test.ts', 'API-121 says which domains'],
  'tools.search.url': ['contract/server-web.test.ts', 'API-121 says which domains'],
  'ai_agent.metadata_self_resolution_enabled': GATES,
  'ai_agent.bounded_agent_enabled': GATES,
  'ai_agent.metadata_self_resolution_cooldown_sec': GATES,
  'guide.stream_url': ['contract/server-guide-out.test.ts', 'GUIDE-128 streams'],
  'guide.media_server.kind': ITEMS,
  'guide.media_server.url': ITEMS,
  'guide.media_server.token_command': ITEMS,
  'documents.folders': [
    'contract/server-document-folders.test.ts',
    'DOCUMENT-93, DOCUMENT-94 folders of accession.toml',
  ],
  'documents.contact': ['contract/server-documents.test.ts', 'DOCUMENT-67 a source is asked'],
  'documents.sources': ['contract/server-documents.test.ts', 'DOCUMENT-67 a source that accession.toml'],
  'library.agents': ['contract/server-library-process.test.ts', 'LIBRARY-78 a server reads its folders'],
  'library.every_minutes': ['contract/server-library-indexing.test.ts', 'LIBRARY-72 only what is new'],
  'library.files_per_folder': ['contract/server-library-indexing.test.ts', 'LIBRARY-74 what is beyond'],
  'library.folders': ['contract/server-library.test.ts', 'LIBRARY-71 a folder is there'],
  'server.hosts': ['contract/server-sign-in.test.ts', 'AUTH-38: a socket under another host'],
  'blobs.endpoint': WRONG_BUCKET,
  'blobs.region': WRONG_BUCKET,
  'blobs.bucket': WRONG_BUCKET,
  'blobs.prefix': ['contract/media-store-s3.test.ts', 'STORE-22 parts that a killed server left'],
  'blobs.path_style': ['contract/media-store-s3.test.ts', 'STORE-24 the bucket is in the path or in the name'],
  'blobs.access_key_id': WRONG_BUCKET,
  'blobs.secret_access_key_command': WRONG_BUCKET,
};

/** Names of all keys below a table: `agent.llm.model`. */
function keysOf(schema: v.GenericSchema, place: readonly string[]): string[] {
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
  if (!('entries' in inner)) return [place.join('.')];
  const entries = Object.entries(inner.entries as Record<string, v.GenericSchema>);
  return entries.flatMap(([key, entry]) => keysOf(entry, [...place, key]));
}

/** The tables with this one key set, and what stands beside it. */
function tablesWith(path: string, value: unknown, beside: Record<string, unknown> = {}): Record<string, unknown> {
  const names = path.split('.');
  const key = names.pop() ?? '';
  const table = names.reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), {
    ...beside,
    [key]: value,
  });
  // The model is set up by its table alone.
  return { agent: {}, ...table };
}

/** By key, what the tables of CONFIG.md say is usual. A row names its table, or stands under a heading that does. */
async function usualInDocs(): Promise<Map<string, string>> {
  const text = await readFile(new URL('../../../docs/CONFIG.md', import.meta.url), 'utf8');
  const found = new Map<string, string>();
  let table = '';
  for (const line of text.split('\n')) {
    const heading = /^#+ \[([\w.]+)\]/.exec(line)?.[1];
    // A table whose keys are not the server's: empty, usually.
    if (heading !== undefined) found.set(heading, '{}');
    table = heading ?? table;
    const [, first = '', ...cells] = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
    table = /^`\[([\w.]+)\]`/.exec(first)?.[1] ?? table;
    const key = /`(\w+)`$/.exec(first)?.[1];
    const usual = table === 'blobs' ? cells[1] : cells[0];
    if (key !== undefined && usual !== undefined) found.set(`${table}.${key}`, usual.replaceAll('`', ''));
  }
  return found;
}

describe('a key of accession.toml', () => {
  test('OPS-28: CONFIG.md says what is usual for every key', async () => {
    const docs = await usualInDocs();
    const usual = v.parse(FileSchema, { agent: {} }) as Record<string, unknown>;
    for (const path of keysOf(FileSchema, [])) {
      const said = docs.get(path);
      expect(said, `${path} in docs/CONFIG.md`).toBeDefined();
      const value = path
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], usual);
      if (typeof value === 'number') expect(Number(said?.replaceAll(',', '')), path).toBe(value);
      else if (typeof value === 'string') expect(said?.replaceAll('"', ''), path).toBe(value);
      else if (value !== undefined) expect(said, path).toContain(JSON.stringify(value));
    }
  });

  test('OPS-28: what CONFIG.md has for [ask] is what accession ask takes', async () => {
    const text = await readFile(new URL('../../../docs/CONFIG.md', import.meta.url), 'utf8');
    const { ask } = parse(/^\[ask\]\n.*?(?=^```)/ms.exec(text)?.[0] ?? '') as { ask: object };
    expect(askOptions({ from: 'CONFIG.md', block: ask })).toMatchObject({ iterations: 3, retriever: { k: 15 } });
    expect(Object.keys(ask).sort()).toEqual(
      Object.keys({ ...ASK_DEFAULTS, domains: [] })
        .filter((key) => key !== 'seed')
        .sort(),
    );
  });

  test('OPS-7: is in this table', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual(keysOf(FileSchema, []).sort());
    expect(Object.keys(SHOWN).sort()).toEqual(keysOf(FileSchema, []).sort());
  });

  test.each(Object.entries(SHOWN))('OPS-7: what %s does is shown by a test', async (_key, [file, title]) => {
    const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    const titles = [...text.matchAll(/\b(?:test|it)\(\s*(['"`])(.*?)\1/gs)].map(([, , said]) => said);
    expect(titles).toContainEqual(expect.stringContaining(title));
  });

  test.each(Object.entries(EFFECTS))('OPS-7: %s has an effect', async (path, { value, beside, seen, becomes }) => {
    const file = configOf(tablesWith(path, value, beside), null, DATA, false, {});
    expect(await seen(file)).toEqual(becomes);
    const usual = configOf({ agent: {} }, null, DATA, false, {});
    expect(await seen(usual)).not.toEqual(becomes);
  });
});
