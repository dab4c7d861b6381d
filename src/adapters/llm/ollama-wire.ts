/** Ollama's native chat: what is sent to `POST /api/chat`, and how its NDJSON is read. */
import type { Message, ToolDefinition, CompletionOptions } from '#core/agent/llm/provider.ts';
import { type AnswerReader, emptyAnswer, readArguments, type TokenLogprobs } from './answer.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { countIn, listIn, objectIn, parseJson, textIn } from './json.ts';
import { createLineParser } from './streams.ts';

export function ollamaRequest(
  model: string,
  messages: readonly Message[],
  tools: readonly ToolDefinition[] | undefined,
  options: CompletionOptions,
  settings: { contextLength: number; stream: boolean; logprobs: boolean },
): Record<string, unknown> {
  // `format` makes Ollama ignore `tools`: never both.
  const { schema } = options;
  return {
    model,
    messages: messages.map((message) => toOllama(message, messages)),
    stream: settings.stream,
    // Thinking is dropped anyway, and would use up the answer's tokens.
    think: false,
    // Newer versions then refuse a question that is too long, instead of dropping its front.
    truncate: false,
    shift: false,
    ...(schema === undefined ? {} : { format: schema.schema }),
    ...(schema === undefined && tools !== undefined && tools.length > 0
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
    ...(settings.logprobs ? { logprobs: true, top_logprobs: 10 } : {}),
    options: {
      // Always: the default is 4096, and what is longer silently loses its front.
      num_ctx: settings.contextLength,
      num_predict: options.maxTokens,
      temperature: options.temperature,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
    },
  };
}

function toOllama(message: Message, all: readonly Message[]): Record<string, unknown> {
  const { role, content } = message;
  if (role === 'tool') {
    const calls = all.flatMap((other) => other.tool_calls ?? []);
    const name = calls.find((call) => call.id === message.tool_call_id)?.name;
    return {
      role,
      content,
      ...(name === undefined ? {} : { tool_name: name }),
      ...(message.tool_call_id === undefined ? {} : { tool_call_id: message.tool_call_id }),
    };
  }
  if (message.tool_calls === undefined || message.tool_calls.length === 0) return { role, content };
  return {
    role,
    content,
    tool_calls: message.tool_calls.map((call) => ({
      id: call.id,
      // Its parser takes an object only.
      function: { name: call.name, arguments: isRecord(call.arguments) ? call.arguments : {} },
    })),
  };
}

/** Reads both forms: many lines, or one. `onContent` gets the answer's text as it comes. */
export function createOllamaReader(onContent: (delta: string) => void): AnswerReader {
  const lines = createLineParser();
  const raw = emptyAnswer();
  const read = (line: string): void => {
    const value = parseJson(line);
    if (!isRecord(value) || raw.finished || raw.error !== undefined) return;
    if (value['error'] !== undefined) {
      raw.error = value['error'];
      return;
    }
    if (!isRecord(value['message']) && value['done'] !== true) return;
    raw.any = true;
    const message = objectIn(value['message']);
    const content = textIn(message['content']);
    if (content !== '') {
      raw.content += content;
      onContent(content);
    }
    for (const call of listIn(message['tool_calls'])) {
      const fn = objectIn(objectIn(call)['function']);
      raw.calls.push({
        id: textIn(objectIn(call)['id']),
        name: textIn(fn['name']),
        arguments: readArguments(fn['arguments']),
      });
    }
    raw.logprobs.push(...listIn(value['logprobs']).flatMap(readLogprob));
    if (value['done'] !== true) return;
    raw.finished = true;
    raw.reason = textIn(value['done_reason']) || null;
    raw.tokensIn = countIn(value['prompt_eval_count']);
    raw.tokensOut = countIn(value['eval_count']);
  };
  return {
    feed(text) {
      lines.feed(text).forEach(read);
    },
    end() {
      const rest = lines.rest();
      if (rest !== '') read(rest);
      // Half an object: the protocol is the right one, the answer is not whole.
      if (rest.startsWith('{') && parseJson(rest) === undefined) raw.any = true;
      return raw;
    },
  };
}

/** The form of both wires: `{ token, logprob, top_logprobs: [{ token, logprob }] }`. */
export function readLogprob(value: unknown): TokenLogprobs[] {
  const entry = objectIn(value);
  const { token, logprob } = entry;
  if (typeof token !== 'string' || typeof logprob !== 'number') return [];
  const top: Record<string, number> = {};
  for (const other of listIn(entry['top_logprobs']).map(objectIn)) {
    if (typeof other['token'] === 'string' && typeof other['logprob'] === 'number')
      top[other['token']] = other['logprob'];
  }
  return [{ token, logprob, top }];
}
