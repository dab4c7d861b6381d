/**
 * The tables of accession.toml: the specification's [agent], [agent.llm] and [ingestion], and of our own
 * [agent.limits], [ingestion.limits], [blobs], [search], [video], [library], [tools], [documents], [ask], [ai_agent], [guide], [playbooks], [toolbox] and `context_length`. What each key does is in docs/CONFIG.md. The messages complete the sentence
 * `"key" must be ...`.
 */
import * as v from 'valibot';
import { ollama } from '#adapters/llm/providers/ollama.ts';
import { serverProviders } from '#adapters/llm/providers/providers.ts';
import { LendSchema, USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';
import { DEFAULT_SETTINGS, SettingsSchema } from '#core/config.ts';
import { HOST } from './config.ts';
import { USUAL_SCRUB } from './storage/scrub-settings.ts';
import { USUAL_UPLOAD_LIMITS } from './work/upload-limits.ts';

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
const ADDRESS = 'an http or https address in quotes, without a name, a key or a query in it';
const BITRATES = SettingsSchema.entries.output_bitrate.options;

const text = (what: string) => v.pipe(v.string(what), v.trim(), v.minLength(1, what));
const flag = v.boolean('true or false');
const number = (least: number, most: number) => {
  const what = `a number from ${least} to ${most}`;
  return v.pipe(v.number(what), v.minValue(least, what), v.maxValue(most, what));
};
const whole = (least: number, most: number) => {
  const what = `a whole number from ${least} to ${most}`;
  return v.pipe(v.number(what), v.integer(what), v.minValue(least, what), v.maxValue(most, what));
};
const table = <const Entries extends v.ObjectEntries>(entries: Entries) => v.strictObject(entries, 'a table');

const PROVIDERS = serverProviders.map(({ id }) => id);

const LlmTable = table({
  provider: v.optional(v.picklist(PROVIDERS, PROVIDERS.map((id) => `"${id}"`).join(' or ')), ollama.id),
  base_url: v.optional(v.pipe(text(ADDRESS), v.check(isAddress, ADDRESS))),
  model: v.optional(text('the name of a model in quotes')),
  embedding_model: v.optional(text('the name of a model in quotes')),
  temperature: v.optional(number(0, 2), DEFAULT_SETTINGS.llm_temperature),
  timeout_secs: v.optional(whole(1, 3600), DEFAULT_SETTINGS.llm_timeout_secs),
  context_length: v.optional(whole(1024, 1_048_576), DEFAULT_SETTINGS.llm_context_length),
  api_key: v.optional(v.pipe(text('a key in quotes'), v.regex(/^[\x21-\x7e]+$/, 'a key without blanks, in quotes'))),
  api_key_command: v.optional(text('a shell command in quotes')),
});

const LimitsTable = table({
  requests_per_minute: v.optional(whole(1, 100_000), 60),
  tokens_per_day: v.optional(whole(1, 1_000_000_000_000), 2_000_000),
});

const STRATEGIES = SettingsSchema.entries.llm_strategy.options;

const AgentTable = table({
  enabled: v.optional(flag, true),
  max_iterations: v.optional(whole(1, 100), DEFAULT_SETTINGS.llm_max_iterations),
  strategy: v.optional(
    v.picklist(STRATEGIES, STRATEGIES.map((one) => `"${one}"`).join(' or ')),
    DEFAULT_SETTINGS.llm_strategy,
  ),
  lend: v.optional(v.picklist(LendSchema.options, '"ask" or "all"'), USUAL_DEFAULTS.lend),
  llm: v.optional(LlmTable, {}),
  limits: v.optional(LimitsTable, {}),
});

const UploadLimitsTable = table({
  files_per_upload: v.optional(whole(1, 100_000), USUAL_UPLOAD_LIMITS.files),
  fields_per_upload: v.optional(whole(1, 10_000), USUAL_UPLOAD_LIMITS.fields),
  upload_total_mb: v.optional(whole(1, 1_048_576), USUAL_UPLOAD_LIMITS.totalBytes / MB),
  waiting_mb_per_user: v.optional(whole(1, 1_073_741_824), USUAL_UPLOAD_LIMITS.waitingBytes / MB),
  unfinished_mb_per_user: v.optional(whole(1, 1_073_741_824), USUAL_UPLOAD_LIMITS.unfinishedBytes / MB),
  unfinished_mb_in_all: v.optional(whole(1, 1_073_741_824), USUAL_UPLOAD_LIMITS.unfinishedTotalBytes / MB),
  unfinished_days: v.optional(whole(1, 3650), USUAL_UPLOAD_LIMITS.unfinishedMs / DAY_MS),
  least_bytes_per_second: v.optional(whole(0, 1_000_000_000), USUAL_UPLOAD_LIMITS.bytesPerSecond),
});

const IngestionTable = table({
  enabled: v.optional(flag, true),
  temp_dir: v.optional(text('a directory in quotes'), '{db_dir}/ingestion_uploads'),
  max_upload_size_mb: v.optional(whole(1, 1_048_576)),
  auto_approve_threshold: v.optional(number(0.5, 1), DEFAULT_SETTINGS.auto_approve_threshold),
  ffmpeg_path: v.optional(text('a program in quotes'), 'ffmpeg'),
  output_bitrate: v.optional(
    v.picklist(BITRATES, `one of ${BITRATES.join(', ')}, in quotes`),
    DEFAULT_SETTINGS.output_bitrate,
  ),
  limits: v.optional(UploadLimitsTable, {}),
});

const BUCKET = 'the name of a bucket in quotes: 3 to 63 small letters, digits, "." and "-"';
const PREFIX = 'folders in quotes, like "accession/": letters, digits, ".", "_" and "-"';
const WORD = 'a word without blanks, in quotes';
const word = (what: string, form: RegExp) => v.pipe(text(what), v.regex(form, what));

/** Audio in a bucket. The secret key is never in the file. */
export const BlobsTable = table({
  endpoint: v.optional(v.pipe(text(ADDRESS), v.check(isAddress, ADDRESS))),
  region: v.optional(word(WORD, /^[\w-]+$/)),
  bucket: v.optional(word(BUCKET, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
  prefix: v.optional(v.pipe(v.string(PREFIX), v.regex(/^(?:(?!\.+\/)[\w.-]+\/)*(?:(?!\.+$)[\w.-]+)?$/, PREFIX))),
  path_style: v.optional(flag),
  access_key_id: v.optional(word(WORD, /^[\x21-\x7e]+$/)),
  secret_access_key_command: v.optional(text('a shell command in quotes')),
});

const FOLDERS = 'a list of absolute directories in quotes, like ["/media/tv"], none of them the root itself';
const Directory = v.pipe(
  v.string(FOLDERS),
  v.trim(),
  // One slash at the end means the same; `.` and `..` could mean something else than what is read.
  v.transform((path) => path.replace(/(?<=.)\/$/, '')),
  v.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/, FOLDERS),
);

/** The second lane: which folders the server may see, and rename in. */
const VideoTable = table({
  folders: v.optional(v.pipe(v.array(Directory, FOLDERS), v.maxLength(64, FOLDERS)), []),
});

const READERS =
  'a list of permissions or people in quotes, like ["ReadCatalog"] or ["Vera"]: whoever has one of them reads the folder';
const Reader = v.pipe(v.string(READERS), v.trim(), v.minLength(1, READERS), v.maxLength(128, READERS));
const FOLDER_NAME = 'a name of up to 100 characters in quotes';
const FolderName = v.pipe(v.string(FOLDER_NAME), v.trim(), v.minLength(1, FOLDER_NAME), v.maxLength(100, FOLDER_NAME));
const DIRECTORY = 'an absolute directory in quotes, like "/srv/handbook", not the root itself';
const LIBRARY_FOLDERS = 'up to 64 tables [[library.folders]], each with a name of its own';

/** A folder that the server's library has, and who reads it. */
const LibraryFolderTable = table({
  name: FolderName,
  path: v.pipe(
    v.string(DIRECTORY),
    v.trim(),
    v.transform((path) => path.replace(/(?<=.)\/$/, '')),
    v.regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/, DIRECTORY),
  ),
  readers: v.optional(v.pipe(v.array(Reader, READERS), v.maxLength(256, READERS)), []),
});

/** Folders that are read into chunks and searched. */
const LibraryTable = table({
  agents: v.optional(text('a directory in quotes'), '{db_dir}/agents'),
  every_minutes: v.optional(number(0.1, 10_080), 10),
  files_per_folder: v.optional(whole(1, 10_000_000), 200_000),
  folders: v.optional(
    v.pipe(
      v.array(LibraryFolderTable, LIBRARY_FOLDERS),
      v.maxLength(64, LIBRARY_FOLDERS),
      v.check((list) => new Set(list.map(({ name }) => name)).size === list.length, LIBRARY_FOLDERS),
    ),
    [],
  ),
});

const DOMAINS = 'a list of domains in quotes, like ["*.wikipedia.org", "arxiv.org"]';
const Domain = v.pipe(
  v.string(DOMAINS),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/, DOMAINS),
);
const ENGINE = '"mediawiki" or "searxng"';
const SEARCH_ADDRESS = 'the https address of the search engine in quotes, without "?"';

/** What tools of a question may reach in the network. */
const ToolsTable = table({
  allow: v.optional(v.pipe(v.array(Domain, DOMAINS), v.maxLength(256, DOMAINS))),
  search: v.optional(
    table({
      kind: v.picklist(['mediawiki', 'searxng'], ENGINE),
      url: v.pipe(text(SEARCH_ADDRESS), v.regex(/^https:\/\/[^\s?#@]+$/, SEARCH_ADDRESS)),
    }),
  ),
});

const SOURCES =
  'a list of sources in quotes, of "crossref", "datacite", "doi.org", "openlibrary", "googlebooks", "arxiv", "openalex" and "pubmed"';
const CONTACT = 'a mail address in quotes';

/** Metadata sources of papers and books. */
const DocumentsTable = table({
  folders: v.optional(v.array(Directory, FOLDERS), []),
  contact: v.optional(v.pipe(text(CONTACT), v.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, CONTACT))),
  sources: v.optional(
    v.array(
      v.picklist(
        ['crossref', 'datacite', 'doi.org', 'openlibrary', 'googlebooks', 'arxiv', 'openalex', 'pubmed'],
        SOURCES,
      ),
      SOURCES,
    ),
  ),
});

/** Guarded runs that mend guides, under the specification's names. */
const AiAgentTable = table({
  metadata_self_resolution_enabled: v.optional(flag, false),
  bounded_agent_enabled: v.optional(flag, true),
  metadata_self_resolution_cooldown_sec: v.optional(whole(30, 86_400), 300),
});

const STREAM = 'an http or https address in quotes with {number} or {id} in it';
const KINDS = '"plex" or "jellyfin"';

/** What is written out of guides, and whose items look-ups read, too. */
const GuideTable = table({
  stream_url: v.optional(v.pipe(text(STREAM), v.regex(/^https?:\/\/\S*\{(?:number|id)\}\S*$/, STREAM))),
  media_server: v.optional(
    table({
      kind: v.picklist(['plex', 'jellyfin'], KINDS),
      url: v.pipe(text(ADDRESS), v.check(isAddress, ADDRESS)),
      token_command: text('a shell command in quotes'),
    }),
  ),
});

const TARGET = 'a table of names, each with "PROVIDER/MODEL" in quotes';

/** What the models that playbooks name stand for. */
const PlaybooksTable = table({
  models: v.optional(v.record(v.string(), v.pipe(v.string(TARGET), v.regex(/^[\w-]+\/\S+$/, TARGET)), TARGET), {}),
  library: v.optional(text('a folder in quotes')),
});

const CONNECTOR_NAMES = 'a list of names of connectors in quotes, like ["wikipedia"]';
const FILES = 'a list of files in quotes';
const COMMAND = 'a table of names, each with a list of a program and its arguments in quotes';
const Argument = v.pipe(v.string(COMMAND), v.maxLength(4000, COMMAND));

/** Tools that compute, and sources that they ask. */
const ToolboxTable = table({
  sources: v.optional(
    v.array(v.pipe(v.string(CONNECTOR_NAMES), v.regex(/^[a-z][a-z\d_]{0,62}$/, CONNECTOR_NAMES)), CONNECTOR_NAMES),
  ),
  connectors: v.optional(v.pipe(v.array(text(FILES), FILES), v.maxLength(64, FILES)), []),
  limits: v.optional(
    table({
      seconds: v.optional(whole(1, 86_400)),
      memory_mb: v.optional(whole(64, 65_536)),
      result_kb: v.optional(whole(1, 32_768)),
      input_mb: v.optional(whole(1, 1024)),
    }),
    {},
  ),
  commands: v.optional(
    v.record(
      v.pipe(v.string(), v.regex(/^[a-z][a-z\d_-]{0,40}$/, COMMAND)),
      v.pipe(v.array(Argument, COMMAND), v.minLength(1, COMMAND), v.maxLength(100, COMMAND)),
      COMMAND,
    ),
    {},
  ),
});

/** Workers of the server itself. */
const WorkTable = table({ inside: v.optional(whole(0, 16), 1) });

const HOSTS = 'a list of names in quotes, like ["music.example"], without http:// and port';
const Host = v.pipe(v.string(HOSTS), v.trim(), v.toLowerCase(), v.regex(HOST, HOSTS));

/** Under which names the server is asked, beside this machine's own. */
const ServerTable = table({
  hosts: v.optional(v.pipe(v.array(Host, HOSTS), v.maxLength(64, HOSTS)), []),
});

/**
 * A process of its own that answers search in a large catalog. By itself it comes where the tables cost more than some
 * 20 ms of processor a question; it takes some 250 MB there (docs/decisions/138-search-in-a-process.md).
 */
const SearchTable = table({ process_from_tracks: v.optional(whole(0, 1_000_000_000), 500_000) });

/** Reading every file again in the background. */
const ScrubTable = table({
  enabled: v.optional(flag, USUAL_SCRUB.enabled),
  mb_per_second: v.optional(number(0.01, 10_000), USUAL_SCRUB.bytesPerSecond / MB),
  every_days: v.optional(number(0.01, 3650), USUAL_SCRUB.everyMs / DAY_MS),
  repair: v.optional(flag, USUAL_SCRUB.repair),
});

export const FileSchema = table({
  agent: v.optional(AgentTable),
  ingestion: v.optional(IngestionTable, {}),
  blobs: v.optional(BlobsTable),
  video: v.optional(VideoTable, {}),
  library: v.optional(LibraryTable, {}),
  work: v.optional(WorkTable, {}),
  server: v.optional(ServerTable, {}),
  scrub: v.optional(ScrubTable, {}),
  search: v.optional(SearchTable, {}),
  tools: v.optional(ToolsTable, {}),
  documents: v.optional(DocumentsTable, {}),
  ai_agent: v.optional(AiAgentTable, {}),
  guide: v.optional(GuideTable, {}),
  playbooks: v.optional(PlaybooksTable, {}),
  toolbox: v.optional(ToolboxTable, {}),
  /** The library lane reads it: the keys of `agent:` in its configuration files. */
  ask: v.optional(v.record(v.string(), v.unknown(), 'a table'), {}),
});
export type FileTables = v.InferOutput<typeof FileSchema>;

/** A key in an address would be in the logs of whatever lies between. */
function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const bare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return bare && (url.protocol === 'http:' || url.protocol === 'https:');
}
