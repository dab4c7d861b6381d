/** The tools strategy: what the model is shown next, made of the journal alone. */
import type { Message, ToolCall } from '../llm/provider.ts';
import { fence, tokensOf } from '../prompt/envelope.ts';
import { shrinkToJson } from '../prompt/fit.ts';
import { cleanText } from '../prompt/clean.ts';
import { canonical } from '../tools/tool.ts';
import { handleOf, type Entities, hideIds } from '../tools/handles.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { entriesOf, type Entry } from './journal.ts';
import type { JournalEntry } from './workflow.ts';

/** Tokens of one rendered result, whatever the context. */
const MOST_RESULT = 1500;
const LEFT_OUT = '(left out to save room)';

export interface Talk {
  journal: readonly JournalEntry[];
  entities: Entities;
  nonce: string;
  /** Calls as messages of the wire's own; otherwise as JSON in plain messages. */
  native: boolean;
  /** Tokens for all of it. */
  mostTokens: number;
}

/** The turns so far, results newest first kept; null when they do not fit even without results. */
export function turnsOf<Context>(
  registry: AgentToolRegistry<Context>,
  { journal, entities, nonce, native, mostTokens }: Talk,
): Message[] | null {
  const perResult = Math.max(120, Math.min(MOST_RESULT, Math.floor(mostTokens / 3)));
  const messages: Message[] = [];
  /** May be left out when room is short. */
  const results: Message[] = [];

  function addCall(assistant: Message, entry: Entry<'tool_started'>): void {
    const references = registry.get(entry.tool)?.references ?? {};
    const name = toolName(entry.tool);
    const shown: unknown = JSON.parse(shrinkToJson(hideIds(entry.input, references, entities), 300));
    if (!native) {
      assistant.content = JSON.stringify({ tool: name, arguments: shown, why: assistant.content });
      return;
    }
    const call: ToolCall = { id: entry.call, name, arguments: shown };
    assistant.tool_calls = [...(assistant.tool_calls ?? []), call];
  }

  function rendered(entry: Entry<'tool_ended'>): string {
    const tool = registry.get(entry.tool);
    if (!tool) return '{}';
    const handle = (kind: string, id: string): string => handleOf(entities, kind, id) ?? '?';
    return shrinkToJson(tool.render(entry.output, handle), perResult);
  }

  /** What was refused, or failed; a call that was made before gets its earlier result. */
  function refusal(entry: Entry<'tool_failed'>, started: Entry<'tool_started'>): string {
    const twin = entriesOf(journal, 'tool_started').find(
      (earlier) =>
        earlier.n < started.n && earlier.tool === started.tool && canonical(earlier.input) === canonical(started.input),
    );
    const answered = twin && entriesOf(journal, 'tool_ended').find((ended) => ended.call === twin.call);
    const error = shrinkToJson({ error: entry.failure.message }, 120);
    return answered ? `${error}\n${rendered(answered)}` : error;
  }

  let assistant: Message | null = null;
  for (const entry of journal) {
    if (entry.kind === 'thought') {
      assistant = { role: 'assistant', content: entry.why };
      messages.push(assistant);
    } else if (entry.kind === 'unparsed') {
      assistant = null;
      messages.push({ role: 'user', content: askAgain(entry.reason) });
    } else if (entry.kind === 'tool_started' && entry.by === 'model' && assistant) {
      addCall(assistant, entry);
    } else if (entry.kind === 'tool_ended' || entry.kind === 'tool_failed') {
      const started = entriesOf(journal, 'tool_started').find(({ call }) => call === entry.call);
      if (started?.by !== 'model') continue;
      const content = fence(nonce, entry.kind === 'tool_ended' ? rendered(entry) : refusal(entry, started));
      const message: Message = native
        ? { role: 'tool', content, tool_call_id: entry.call }
        : { role: 'user', content: `Result of ${toolName(entry.tool)}:\n${content}` };
      messages.push(message);
      results.push(message);
    }
  }
  for (let oldest = 0; tokensOf(messages) > mostTokens; oldest++) {
    const result = results[oldest];
    if (!result) return null;
    result.content = LEFT_OUT;
  }
  return messages;
}

/** What is said after an answer that could not be read. The answer itself is not repeated: it may be anything. */
export function askAgain(reason: string): string {
  return `Your last answer could not be used: ${cleanText(reason, 200).text}. Answer again, in the form that was asked for.`;
}

/** A name that the model made up is outside of the fence, and wires take letters, digits, `_` and `-` alone. */
function toolName(said: string): string {
  return said.replace(/[^\w-]+/g, '_').slice(0, 60);
}
