import * as v from 'valibot';
import { EMBEDDING_PROVIDERS, PROVIDER_IDS } from './agent/llm/providers.ts';

/** What a check found out about a model. */
const ProofSchema = v.object({
  model: v.string(),
  /** It called the tool that it was offered. */
  calls: v.boolean(),
  /** Tokens, where the model has fewer than are set or names its own; null: as many as are set. */
  context: v.nullable(v.number()),
  /** Milliseconds since the epoch. */
  at: v.number(),
});

/** What a person can set on a workstation. Stored one row a key; unknown or bad values fall back. */
export const SettingsSchema = v.object({
  /** '' = the origin that served the page. */
  server_url: v.fallback(v.string(), ''),
  /** Above this, a match is approved without asking; 0.5..1. */
  auto_approve_threshold: v.fallback(v.pipe(v.number(), v.minValue(0.5), v.maxValue(1)), 0.9),
  /** Files that say they are a remaster or a deluxe edition are of the album that the catalog has. */
  same_editions: v.fallback(v.boolean(), false),
  /** Nominal bitrate of Ogg Vorbis in kbit/s; 320 is quality 9. */
  output_bitrate: v.fallback(
    v.picklist(['64k', '80k', '96k', '112k', '128k', '160k', '192k', '224k', '256k', '320k']),
    '320k',
  ),
  theme: v.fallback(v.picklist(['system', 'light', 'dark']), 'system'),
  /** A system notification says how a drop ended, while nobody looks at the page. */
  notify_ends: v.fallback(v.boolean(), false),
  /** Archive limits. */
  max_entries: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 10_000),
  /** Bytes one archive may expand to. */
  max_archive_bytes: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 8 * 1024 ** 3),
  /** Bytes one entry may expand to. */
  max_entry_bytes: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 4 * 1024 ** 3),
  /** Expansion ratio from which an entry counts as a bomb (only counted over 64 MiB). */
  max_ratio: v.fallback(v.pipe(v.number(), v.minValue(1)), 200),
  /** Archives in archives: 1 is the dropped one alone. */
  max_archive_depth: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 2),
  /** Days that originals stay after their commit. */
  keep_originals_days: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 7),
  /** This browser works on files that were sent to the server, when its own are done. */
  work_on_uploads: v.fallback(v.boolean(), true),
  /** The agent: asked only about what the matcher is not sure of. `none` = everything unclear goes to the person. */
  llm_provider: v.fallback(v.picklist(PROVIDER_IDS), 'none'),
  /** Files were dropped while no provider was chosen: a model that the server lends is offered until that is answered. */
  llm_offered: v.fallback(v.boolean(), false),
  /** Address of an Ollama or OpenAI-compatible server; '' = the provider's usual one. */
  llm_base_url: v.fallback(v.string(), ''),
  llm_model: v.fallback(v.string(), ''),
  /** `auto`: by what the model can do. */
  llm_strategy: v.fallback(v.picklist(['auto', 'choice', 'tools']), 'auto'),
  /** Whether models call tools, by provider, address and model (core/agent/llm/tool-proof.ts). */
  llm_proofs: v.fallback(v.record(v.string(), ProofSchema), {}),
  /** Tokens, where the provider lets it be set (`num_ctx`). */
  llm_context_length: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(1_048_576)), 8192),
  /** 0..2; the specification's 0.3. */
  llm_temperature: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(2)), 0.3),
  /** Seconds for one answer. */
  llm_timeout_secs: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(3600)), 120),
  /** Model calls for one question. */
  llm_max_iterations: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 20),
  /** Tokens for one question, in and out. */
  llm_max_tokens: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1000)), 60_000),
  /** US dollars for one question; 0 = no limit. Needs the prices below. */
  llm_max_cost: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
  /** US dollars for a million tokens. */
  llm_price_in: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
  llm_price_out: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
  /** Where weights of WebLLM models are fetched from instead of their usual place; '' = there. */
  llm_mirror_url: v.fallback(v.string(), ''),
  /** The model may be sent files of the library, whole; null: where it runs on a machine of one's own. */
  library_asks_model: v.fallback(v.nullable(v.boolean()), null),
  /** Records of documents may be asked for at their sources; null: the person was not asked yet. */
  documents_look_up: v.fallback(v.nullable(v.boolean()), null),
  /** A mail address that Crossref and others are told with each question; '' = none. */
  documents_contact: v.fallback(v.string(), ''),
  /** What of approved records goes to the catalog server. */
  documents_share: v.fallback(v.picklist(['nothing', 'records', 'pdfs']), 'records'),
  /** Sources that are asked for records beside the usual ones. */
  documents_more: v.fallback(v.array(v.picklist(['openalex', 'pubmed'])), []),
  /** Guides of channels are mended by themselves, and at the press of a button. */
  metadata_self_resolution_enabled: v.fallback(v.boolean(), false),
  /** Runs of the guarded tools may begin. */
  bounded_agent_enabled: v.fallback(v.boolean(), true),
  /** Seconds between two runs over the same channel, or over all. */
  metadata_self_resolution_cooldown_sec: v.fallback(
    v.pipe(v.number(), v.integer(), v.minValue(30), v.maxValue(86_400)),
    300,
  ),
  /** No run goes on while this is on. */
  guide_containment: v.fallback(v.boolean(), false),
  /** Zone (IANA) of times in guides that name none; '' = UTC. */
  guide_zone: v.fallback(v.string(), ''),
  /** What the models that playbooks name stand for, `PROVIDER/MODEL` by name; `*` is every other name. */
  playbooks_models: v.fallback(v.record(v.string(), v.string()), {}),
  /** The model above answers for names of playbooks that stand nowhere; false: they are refused. */
  playbooks_others: v.fallback(v.boolean(), true),
  /** What a tool may take at least, where its own is less: seconds and megabytes of a call, its result, its input. */
  toolbox_seconds: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(20), v.maxValue(86_400)), 20),
  toolbox_memory_mb: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(512), v.maxValue(4096)), 512),
  toolbox_result_kb: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(256), v.maxValue(32_768)), 256),
  toolbox_input_mb: v.fallback(v.pipe(v.number(), v.integer(), v.minValue(10), v.maxValue(256)), 10),
  /** How passages of the library are ranked. */
  library_profile: v.fallback(v.picklist(['bm25', 'vector', 'hybrid']), 'bm25'),
  /** The model that makes vectors of the library's passages; `none`: they are found by their words alone. */
  embedding_provider: v.fallback(v.picklist(EMBEDDING_PROVIDERS), 'none'),
  /** '' = the provider's usual address. */
  embedding_base_url: v.fallback(v.string(), ''),
  embedding_model: v.fallback(v.string(), ''),
});
export type Settings = v.InferOutput<typeof SettingsSchema>;

export const DEFAULT_SETTINGS: Settings = v.parse(SettingsSchema, {});

/** Vorbis quality of each nominal bitrate (kbit/s at 44.1 kHz stereo): https://wiki.xiph.org/Vorbis */
export const VORBIS_QUALITY: Record<Settings['output_bitrate'], number> = {
  '64k': 0,
  '80k': 1,
  '96k': 2,
  '112k': 3,
  '128k': 4,
  '160k': 5,
  '192k': 6,
  '224k': 7,
  '256k': 8,
  '320k': 9,
};
