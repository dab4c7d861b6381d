/** OpenAI's chat completions as many servers speak them: what is sent, and how the answer is read, whole or as SSE. */
import { createParser } from 'eventsource-parser';
import type { JsonSchema, Message, ToolDefinition, CompletionOptions } from '#core/agent/llm/provider.ts';
import { type AnswerReader, emptyAnswer, type RawCall, readArguments } from './answer.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { countIn, type Json, listIn, objectIn, parseJson, textIn } from './json.ts';
import { readLogprob } from './ollama-wire.ts';

/** Tool calls that come in one delta or in twenty, with an `index`, with a wrong one, or with none. */

interface Slot {
  index: number | null;
  id: string;
  name: string;
  text: string;
}

function createCallCollector() {
  const slots: Slot[] = [];
  const add = (delta: Json): void => {
    const fn = objectIn(delta['function']);
    const id = textIn(delta['id']);
    const name = textIn(fn['name']);
    const text = argumentText(fn['arguments']);
    const index = countIn(delta['index']);
    const slot = find(slots, index, id, name);
    if (slot === null) {
      slots.push({ index, id, name, text });
      return;
    }
    if (slot.id === '') slot.id = id;
    if (slot.name === '') slot.name = name;
    slot.text += text;
  };
  return {
    /** One delta. */
    add,
    /** A call that is whole already. */
    whole(call: Json): void {
      const fn = objectIn(call['function']);
      slots.push({
        index: null,
        id: textIn(call['id']),
        name: textIn(fn['name']),
        text: argumentText(fn['arguments']),
      });
    },
    all: (): RawCall[] => slots.map(({ id, name, text }) => ({ id, name, arguments: readArguments(text) })),
  };
}

/** Some servers send the object itself. */
function argumentText(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : textIn(value);
}

/** The call that a delta goes on with; null where it begins another. */
function find(slots: readonly Slot[], index: number | null, id: string, name: string): Slot | null {
  if (id !== '') {
    // Some servers give every call of one answer the same id: then the index tells them apart.
    const isOne = (slot: Slot): boolean => index === null || slot.index === null || slot.index === index;
    const same = slots.find((slot) => slot.id === id && isOne(slot));
    if (same !== undefined) return same;
  }
  if (index !== null) {
    const there = slots.findLast((slot) => slot.index === index);
    // Some servers number every call 0: another id with a name of its own is another call.
    return there !== undefined && !(id !== '' && there.id !== '' && name !== '') ? there : null;
  }
  const last = slots.at(-1) ?? null;
  if (last === null) return null;
  if (id !== '' && last.id !== '') return null;
  // No mark at all: a name after arguments that are whole begins another call, else it is only repeated.
  return name !== '' && last.name !== '' && (name !== last.name || parseJson(last.text) !== undefined) ? null : last;
}

/** How an answer is bound to JSON, tightest first. `lean`: without bounds of length, which OpenAI itself refuses. */
export const SCHEMA_MODES = ['json_schema', 'lean', 'json_object', 'none'] as const;
export type SchemaMode = (typeof SCHEMA_MODES)[number];

export interface OpenAiSettings {
  stream: boolean;
  logprobs: boolean;
  schemaMode: SchemaMode;
  /** The newer name of `max_tokens`, which some models insist on. */
  completionTokens: boolean;
  /** Fields that this server refused. */
  without: ReadonlySet<string>;
}

export function openAiRequest(
  model: string,
  messages: readonly Message[],
  tools: readonly ToolDefinition[] | undefined,
  options: CompletionOptions,
  settings: OpenAiSettings,
): Record<string, unknown> {
  const bound = options.schema !== undefined;
  const body: Record<string, unknown> = {
    model,
    messages: messages.map(toOpenAi),
    stream: settings.stream,
    temperature: options.temperature,
    [settings.completionTokens ? 'max_completion_tokens' : 'max_tokens']: options.maxTokens,
  };
  if (settings.stream) body['stream_options'] = { include_usage: true };
  if (options.seed !== undefined) body['seed'] = options.seed;
  if (settings.logprobs && bound) Object.assign(body, { logprobs: true, top_logprobs: 10 });
  if (options.schema !== undefined && settings.schemaMode !== 'none')
    body['response_format'] = responseFormat(options.schema, settings.schemaMode);
  if (!bound && tools !== undefined && tools.length > 0)
    body['tools'] = tools.map((tool) => ({ type: 'function', function: tool }));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !settings.without.has(name)));
}

function responseFormat(schema: { name: string; schema: JsonSchema }, mode: SchemaMode): object {
  if (mode === 'json_object') return { type: 'json_object' };
  const name = schema.name.replace(/[^\w-]/g, '_').slice(0, 64);
  const sent = mode === 'lean' ? withoutLengths(schema.schema) : schema.schema;
  const strict = schema.schema['type'] === 'object' && isStrict(schema.schema);
  return { type: 'json_schema', json_schema: { name, strict, schema: sent } };
}

/** Whether strict mode takes it: every object closed, every field required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isRecord(schema)) return true;
  const fields = objectIn(schema['properties']);
  const required = listIn(schema['required']);
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false) return false;
    if (!Object.keys(fields).every((name) => required.includes(name))) return false;
  }
  return Object.values(fields).every(isStrict) && ['items', 'anyOf'].every((name) => isStrict(schema[name]));
}

const LENGTHS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** A field that happens to be called so is a schema and stays; a bound is a number. */
function withoutLengths(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLengths);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(LENGTHS.has(name) && typeof value === 'number'))
      .map(([name, value]) => [name, withoutLengths(value)]),
  );
}

function toOpenAi(message: Message): Record<string, unknown> {
  const { role, content, tool_calls: calls, tool_call_id: id } = message;
  if (role === 'tool') return { role, content, ...(id === undefined ? {} : { tool_call_id: id }) };
  if (calls === undefined || calls.length === 0) return { role, content };
  return {
    role,
    content: content === '' ? null : content,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      // Text that was no JSON goes back as an object: servers parse it again for the model's template.
      function: { name: call.name, arguments: JSON.stringify(isRecord(call.arguments) ? call.arguments : {}) },
    })),
  };
}

/** Reads SSE or one JSON object, whichever comes. `onContent` gets the answer's text as it comes. */
export function createOpenAiReader(onContent: (delta: string) => void): AnswerReader {
  const calls = createCallCollector();
  const raw = emptyAnswer();
  const addText = (content: string): void => {
    if (content === '') return;
    raw.content += content;
    onContent(content);
  };
  const parser = createParser({
    onEvent(event) {
      const value = parseJson(event.data);
      if (isRecord(value)) readChunk(value);
    },
  });
  // SSE never begins with a brace, and a whole answer always does; the content type is often wrong.
  let form: 'unknown' | 'events' | 'whole' = 'unknown';
  let held = '';
  return {
    feed(text) {
      if (form === 'events') {
        parser.feed(text);
        return;
      }
      held += text;
      const begun = held.trimStart();
      if (form === 'whole' || begun === '') return;
      form = begun.startsWith('{') ? 'whole' : 'events';
      if (form === 'events') parser.feed(held);
    },
    end() {
      // The last event counts though its empty line is missing: whether the answer is whole, its own marks say.
      if (form === 'events') parser.feed('\n\n');
      if (form === 'whole') readWhole(parseJson(held));
      raw.calls = calls.all();
      return raw;
    },
  };

  function readChunk(chunk: Json): void {
    if (raw.error !== undefined) return;
    if (chunk['error'] !== undefined && chunk['error'] !== null) {
      raw.error = chunk['error'];
      return;
    }
    if (!Array.isArray(chunk['choices']) && !isRecord(chunk['usage'])) return;
    raw.any = true;
    readUsage(chunk);
    const choice = objectIn(listIn(chunk['choices'])[0]);
    const delta = objectIn(choice['delta']);
    addText(textIn(delta['content']));
    for (const part of listIn(delta['tool_calls'])) calls.add(objectIn(part));
    readEnd(choice);
  }

  function readWhole(value: unknown): void {
    // Half an object: the protocol may well be the right one, the answer is not whole.
    raw.any = value === undefined;
    if (!isRecord(value)) return;
    if (value['error'] !== undefined && value['error'] !== null) {
      raw.error = value['error'];
      return;
    }
    const choice = objectIn(listIn(value['choices'])[0]);
    const message = objectIn(choice['message']);
    if (!isRecord(choice['message'])) return;
    raw.any = true;
    raw.finished = true;
    readUsage(value);
    addText(textIn(message['content']));
    for (const call of listIn(message['tool_calls'])) calls.whole(objectIn(call));
    readEnd(choice);
  }

  function readUsage(value: Json): void {
    const usage = objectIn(value['usage']);
    raw.tokensIn = countIn(usage['prompt_tokens']) ?? raw.tokensIn;
    raw.tokensOut = countIn(usage['completion_tokens']) ?? raw.tokensOut;
  }

  function readEnd(choice: Json): void {
    raw.logprobs.push(...listIn(objectIn(choice['logprobs'])['content']).flatMap(readLogprob));
    const reason = textIn(choice['finish_reason']);
    if (reason === '') return;
    // The reason is the answer's own end; `[DONE]` only ends the stream, and some servers leave it out.
    raw.reason = reason;
    raw.finished = true;
  }
}
