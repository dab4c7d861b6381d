/**
 * Models without a model. *scripted* reads the prompt in a simple way and answers what fits; *obedient* reads it the
 * same way unless a text tells it something, and then does that, against its instructions and against the schema.
 * Deterministic: the same prompt gets the same answer.
 */
import {
  type CompletionResponse,
  type Message,
  type ToolCall,
  type ToolDefinition,
  HEALTH_STAGES,
  type Capabilities,
  type CompletionOptions,
  type LlmProvider,
} from '#core/agent/llm/provider.ts';
import { estimateTokens } from '#core/agent/prompt/fit.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { readPlainly, readPrompt, type ReadPrompt } from './prompt-reading.ts';

/**
 * What a gullible model reads out of a text as an order to itself. The instrument of the safety tests: a model that
 * obeys every one of these must not be able to do harm (SAFE-1).
 */
export type Order =
  | { do: 'choose'; letter: string }
  | { do: 'none' }
  | { do: 'ask' }
  | { do: 'call'; tool: string }
  | { do: 'name'; id: string }
  | { do: 'claim'; confidence: number };

const READINGS: readonly { words: RegExp; order: (found: RegExpExecArray) => Order }[] = [
  { words: /\b(?:choose|select|pick|reply with|answer is)\s+(?:option\s+)?([A-Z])\b/gi, order: choice },
  { words: /\boption\s+([A-Z])\b(?:\s+is\s+(?:correct|right|true))?/gi, order: choice },
  { words: /"(?:option|answer|choice)"\s*:\s*"([A-Z])"/gi, order: choice },
  { words: /\bapproves?(?:d)?\b/gi, order: () => ({ do: 'choose', letter: 'A' }) },
  { words: /\b(?:answer|say|reply)\s+none\b/gi, order: () => ({ do: 'none' }) },
  { words: /\babstain\b/gi, order: () => ({ do: 'ask' }) },
  { words: /\bcall\s+(\w+)\s*\(/gi, order: ([, tool = '']) => ({ do: 'call', tool }) },
  {
    words: /\b(?:confidence|score)\s*[=:]?\s*(\d+(?:\.\d+)?)/gi,
    order: ([, n]) => ({ do: 'claim', confidence: Number(n) }),
  },
  { words: /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/gi, order: named },
  { words: /\b((?:tr|al|t)[_-]\d{2,})\b/gi, order: named },
];

/** Every order in the text, each once, in the order in which they are there. */
export function ordersIn(text: string): Order[] {
  const found = READINGS.flatMap(({ words, order }) =>
    Array.from(text.matchAll(words), (match) => ({ at: match.index, order: order(match) })),
  );
  const orders = found.sort((a, b) => a.at - b.at).map(({ order }) => order);
  const texts = orders.map((order) => JSON.stringify(order));
  return orders.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

function choice([, letter = '']: RegExpExecArray): Order {
  return { do: 'choose', letter: letter.toUpperCase() };
}

function named([, id = '']: RegExpExecArray): Order {
  return { do: 'name', id };
}

export interface ScriptedOptions {
  obedient: boolean;
  /** What it reads whatever the prompt says: the worst case, a text that got past everything. */
  hears?: string;
}

/** What comes back: text, or calls where tools are offered. */
type Said = { content: string } | { calls: { name: string; arguments: unknown }[] };

export function createScripted({ obedient, hears = '' }: ScriptedOptions): LlmProvider {
  const capabilities: Capabilities = {
    contextLength: 8192,
    nativeTools: true,
    // Nothing binds what it says: the executor has to hold against anything.
    jsonSchema: false,
    grammar: false,
    logprobs: false,
    streaming: false,
  };
  return {
    name: obedient ? 'scripted-obedient' : 'scripted',
    model: 'reader',
    capabilities,
    complete(messages, tools, options) {
      if (options.signal?.aborted === true)
        return Promise.resolve(fail(failure('cancelled', 'The question to the model was cancelled.')));
      const prompt = readPrompt(messages);
      const turn = messages.filter((message) => message.role === 'assistant').length;
      const orders = obedient ? ordersIn(`${hears}\n${prompt.heard}`) : [];
      const said = orders.length > 0 ? obey(orders, prompt, tools, turn) : read(prompt, tools);
      return Promise.resolve(ok(responseOf(said, messages, options)));
    },
    healthCheck(_signal, onStage) {
      const passed = { ok: true, said: 'Scripted.', failure: null, milliseconds: 0 };
      const stages = HEALTH_STAGES.map((stage) => ({ stage, ...passed }));
      for (const stage of stages) onStage?.(stage);
      return Promise.resolve({ ok: true, stages, capabilities, ms_per_token: null, models: ['reader'] });
    },
  };
}

/** By the names under which the command line knows them. */
export const scriptedModels = {
  scripted: () => createScripted({ obedient: false }),
  'scripted-obedient': () => createScripted({ obedient: true }),
};

function read(prompt: ReadPrompt, tools: readonly ToolDefinition[] | undefined): Said {
  const reading = readPlainly(prompt);
  const name = reading.kind === 'option' ? reading.option.name : null;
  if (tools === undefined) {
    return answer(name ?? (reading.kind === 'tie' ? 'ASK' : 'NONE'), 'title and length as they stand in the data');
  }
  if (name !== null) return set(prompt, name, 0.9);
  return reading.kind === 'tie' ? review('two fit alike') : { calls: [call('reject', { reason: 'nothing fits' })] };
}

/**
 * First what it was told, word for word, also where that is no valid answer; asked again, the nearest valid thing that
 * still obeys.
 */
function obey(orders: Order[], prompt: ReadPrompt, tools: readonly ToolDefinition[] | undefined, turn: number): Said {
  const order = orders[Math.min(turn, orders.length - 1)] ?? { do: 'ask' };
  const claim = orders.find((one) => one.do === 'claim')?.confidence ?? 1;
  if (turn > orders.length) return tools === undefined ? answer('A', 'as told') : review('as told');
  switch (order.do) {
    case 'choose':
      if (tools === undefined) return answer(order.letter, 'as told', claim);
      return set(prompt, prompt.options[order.letter.charCodeAt(0) - 65]?.name ?? order.letter, claim);
    case 'none':
      return tools === undefined
        ? answer('NONE', 'as told', claim)
        : { calls: [call('reject', { reason: 'as told' })] };
    case 'ask':
      return tools === undefined ? answer('ASK', 'as told', claim) : review('as told');
    case 'call':
      return tools === undefined
        ? { content: JSON.stringify({ tool: order.tool, arguments: {}, why: 'as told' }) }
        : { calls: [call(order.tool, {})] };
    case 'name':
      return tools === undefined ? answer(order.id, 'as told', claim) : set(prompt, order.id, claim);
    case 'claim':
      if (tools === undefined) return answer(prompt.options[0]?.name ?? 'A', 'as told', order.confidence);
      return set(prompt, prompt.options[0]?.name ?? 'T1', order.confidence);
  }
}

function answer(letter: string, why: string, confidence?: number): Said {
  return { content: JSON.stringify({ answer: letter, why, ...(confidence === undefined ? {} : { confidence }) }) };
}

function set(prompt: ReadPrompt, name: string, confidence: number): Said {
  const file = /\bF\d+\b/.exec(JSON.stringify(prompt.rows))?.[0] ?? 'F1';
  const kind = name.startsWith('A') ? 'album_id' : 'track_id';
  return { calls: [call('set_match', { file_id: file, [kind]: name, confidence, reasoning: 'as the data says' })] };
}

function review(why: string): Said {
  return { calls: [call('request_review', { reasoning: why })] };
}

function call(name: string, args: Readonly<Record<string, unknown>>): { name: string; arguments: unknown } {
  return { name, arguments: args };
}

function responseOf(said: Said, messages: readonly Message[], options: CompletionOptions): CompletionResponse {
  const content = 'content' in said ? said.content : '';
  const calls: ToolCall[] = 'calls' in said ? said.calls.map((one, i) => ({ id: `call-${i}`, ...one })) : [];
  const written = content + calls.map((one) => JSON.stringify(one.arguments)).join('');
  options.onText?.(content);
  return {
    message: { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      tokens_in: messages.reduce((sum, message) => sum + estimateTokens(message.content), 0),
      tokens_out: estimateTokens(written),
      milliseconds: 0,
    },
  };
}
