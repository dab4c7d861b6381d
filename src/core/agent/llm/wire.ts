/**
 * The broker's wire, parsed at both ends: POST /v1/llm/chat, GET /v1/llm/models, GET /v1/config.
 *
 * The answer of a chat is NDJSON: any number of `text` lines while the model writes, then exactly one of `done` or
 * `failed`. Empty lines keep the connection open while a model is thinking. A stream that ends without its last line
 * was cut. Neither an address nor a key of the model's server has a place in any of these.
 */
import * as v from 'valibot';
import { DEFAULT_SETTINGS, SettingsSchema } from '../../config.ts';
import { MOST_TEXT, MOST_TEXTS } from './embedder.ts';
import { FailureSchema } from './failure-schema.ts';

/** Content type of a chat's answer. */
export const CHAT_TYPE = 'application/x-ndjson';
/** Bytes of a chat's body. */
export const MAX_CHAT_BYTES = 2 * 1024 * 1024;
/** Messages of one chat: twenty iterations with a few calls each stay far below. */
export const MAX_CHAT_MESSAGES = 400;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const Schema = v.record(v.string(), v.unknown());

export const ToolCallSchema = v.object({
  id: v.string(),
  name: v.string(),
  /** A JSON value; an object unless the model erred. Providers parse what they get as a string. */
  arguments: v.unknown(),
});
export const MessageSchema = v.object({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  content: v.string(),
  tool_calls: v.exactOptional(v.array(ToolCallSchema)),
  /** On a `tool` message: the call that it answers. */
  tool_call_id: v.exactOptional(v.string()),
});

/** Body of POST /v1/llm/chat. Which model answers, and for how long it may, is the server's business. */
export const ChatRequestSchema = v.pipe(
  v.object({
    messages: v.pipe(
      v.array(MessageSchema),
      v.minLength(1, 'a chat has a message'),
      v.maxLength(MAX_CHAT_MESSAGES, `a chat has ${MAX_CHAT_MESSAGES} messages at most`),
    ),
    tools: v.exactOptional(
      v.pipe(
        v.array(v.object({ name: Name, description: v.string(), parameters: Schema })),
        v.minLength(1, 'leave "tools" out where there are none'),
        v.maxLength(64, 'a chat has 64 tools at most'),
      ),
    ),
    schema: v.exactOptional(v.object({ name: Name, schema: Schema })),
    /** Tokens of the answer at most. */
    max_tokens: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(131_072)),
    /** The server's own where it is left out. */
    temperature: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
    seed: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  }),
  v.check(
    (chat) => chat.tools === undefined || chat.schema === undefined,
    'a chat has "tools" or a "schema", not both',
  ),
);
export type ChatRequest = v.InferOutput<typeof ChatRequestSchema>;

export const CompletionResponseSchema = v.object({
  message: MessageSchema,
  finish_reason: v.picklist(['stop', 'tool_calls', 'max_tokens']),
  /** Tokens are null where the provider does not say; milliseconds from sending to the last byte. */
  usage: v.object({ tokens_in: v.nullable(Count), tokens_out: v.nullable(Count), milliseconds: v.number() }),
  /**
   * Natural log-probability by token of the first token of the answer, where the provider offers it; of its first
   * value where the answer is JSON of a schema (`{"choice":"B"` has `B` and its rivals, bare letters).
   */
  first_token_logprobs: v.exactOptional(v.record(v.string(), v.number())),
});

/** One line of the answer. */
export const ChatEventSchema = v.variant('type', [
  v.object({ type: v.literal('text'), delta: v.string() }),
  v.object({ type: v.literal('done'), response: CompletionResponseSchema }),
  v.object({ type: v.literal('failed'), failure: FailureSchema }),
]);
export type ChatEvent = v.InferOutput<typeof ChatEventSchema>;

export const CapabilitiesSchema = v.object({
  /** Tokens of prompt and answer together. */
  contextLength: Count,
  /** The wire has tool calls of its own and this model can use them. */
  nativeTools: v.boolean(),
  /** An answer can be bound to a JSON Schema. */
  jsonSchema: v.boolean(),
  /** The binding is by grammar: an answer that is complete always fits. */
  grammar: v.boolean(),
  logprobs: v.boolean(),
  streaming: v.boolean(),
});

/** Body of POST /v1/llm/embed. Which model makes the vectors is the server's business. */
export const EmbedRequestSchema = v.object({
  texts: v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(MOST_TEXT, `a text has ${MOST_TEXT} characters at most`))),
    v.minLength(1, 'there is a text'),
    v.maxLength(MOST_TEXTS, `there are ${MOST_TEXTS} texts at most`),
  ),
});
/** Its answer: a vector a text, and the model that made them. */
export const EmbedAnswerSchema = v.object({ model: v.string(), vectors: v.array(v.array(v.number())) });
export type EmbedAnswer = v.InferOutput<typeof EmbedAnswerSchema>;

/** Answer of GET /v1/llm/models: the models that the server lets be used, the first one is used. */
export const ModelsAnswerSchema = v.object({
  /** `ollama` or `openai`. */
  provider: v.string(),
  models: v.array(v.object({ id: v.string(), capabilities: CapabilitiesSchema })),
  /** The model that makes vectors of texts; null where there is none. A server of before does not say. */
  embedding: v.optional(v.nullable(v.string()), null),
  /** Why the first one cannot be used now; null when it was there when the server last looked. */
  failure: v.nullable(FailureSchema),
});
export type ModelsAnswer = v.InferOutput<typeof ModelsAnswerSchema>;

/**
 * To whom the server lends its model: `ask`, whoever says yes; `all`, everybody who never chose a model. Nobody is asked
 * twice, and whoever said no is not asked for.
 */
export const LendSchema = v.picklist(['ask', 'all']);
export type Lend = v.InferOutput<typeof LendSchema>;

/** Body and answer of PUT /v1/llm/lend. */
export const LendRequestSchema = v.object({ lend: LendSchema });

/** Answer of GET /v1/config: what of the server's accession.toml is of use to a workstation, and no secret. */
export const ServerDefaultsSchema = v.object({
  /** Whether POST /v1/llm/chat has a model behind it. */
  broker: v.boolean(),
  /** null while the broker is off. */
  provider: v.nullable(v.string()),
  model: v.nullable(v.string()),
  /** A server of before lends it to whoever chooses it. */
  lend: v.optional(LendSchema, 'ask'),
  max_iterations: Count,
  /** How models are asked; a server of before does not say. */
  strategy: SettingsSchema.entries.llm_strategy,
  temperature: v.number(),
  timeout_secs: Count,
  /** Whether uploads and commits are taken. */
  ingestion: v.boolean(),
  max_upload_size_mb: Count,
  auto_approve_threshold: v.number(),
  output_bitrate: SettingsSchema.entries.output_bitrate,
});
export type ServerDefaults = v.InferOutput<typeof ServerDefaultsSchema>;

/** What a server without an accession.toml says. */
export const USUAL_DEFAULTS: ServerDefaults = {
  broker: false,
  provider: null,
  model: null,
  lend: 'ask',
  max_iterations: DEFAULT_SETTINGS.llm_max_iterations,
  strategy: DEFAULT_SETTINGS.llm_strategy,
  temperature: DEFAULT_SETTINGS.llm_temperature,
  timeout_secs: DEFAULT_SETTINGS.llm_timeout_secs,
  ingestion: true,
  max_upload_size_mb: 500,
  auto_approve_threshold: DEFAULT_SETTINGS.auto_approve_threshold,
  output_bitrate: DEFAULT_SETTINGS.output_bitrate,
};
