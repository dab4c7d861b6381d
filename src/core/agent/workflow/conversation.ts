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
export function turnsOf<Context>(registry: AgentToolRegistry<Context>, talk: Talk): Message[] | null {
  const perResult = Math.max(120, Math.min(MOST_RESULT, Math.floor(talk.mostTokens / 3)));
  const turns = writeTurns(registry, talk, perResult);
  const results = turns.filter((turn) => turn.result);
  for (let oldest = 0; tokensOf(turns.map((turn) => turn.message)) > talk.mostTokens; oldest++) {
    const result = results[oldest];
    if (!result) return null;
    result.message.content = LEFT_OUT;
  }
  return turns.map((turn) => turn.message);
}

interface Turn {
  message: Message;
  /** A tool's result: may be left out when room is short. */
  result: boolean;
}

function writeTurns<Context>(registry: AgentToolRegistry<Context>, talk: Talk, perResult: number): Turn[] {
  const turns: Turn[] = [];
  let assistant: Message | null = null;
  for (const entry of talk.journal) {
    if (entry.kind === 'thought') {
      assistant = { role: 'assistant', content: entry.why };
      turns.push({ message: assistant, result: false });
    } else if (entry.kind === 'unparsed') {
      assistant = null;
      turns.push({ message: { role: 'user', content: askAgain(entry.reason) }, result: false });
    } else if (entry.kind === 'tool_started' && entry.by === 'model' && assistant) {
      addCall(assistant, entry, registry, talk);
    } else if (entry.kind === 'tool_ended' || entry.kind === 'tool_failed') {
      const started = startOf(talk.journal, entry.call);
      if (started?.by !== 'model') continue;
      const said =
        entry.kind === 'tool_ended'
          ? rendered(registry, talk, entry, perResult)
          : refusal(registry, talk, entry, started, perResult);
      const content = fence(talk.nonce, said);
      const message: Message = talk.native
        ? { role: 'tool', content, tool_call_id: entry.call }
        : { role: 'user', content: `Result of ${toolName(entry.tool)}:\n${content}` };
      turns.push({ message, result: true });
    }
  }
  return turns;
}

/** What is said after an answer that could not be read. The answer itself is not repeated: it may be anything. */
export function askAgain(reason: string): string {
  return `Your last answer could not be used: ${cleanText(reason, 200).text}. Answer again, in the form that was asked for.`;
}

function addCall<Context>(
  assistant: Message,
  entry: Entry<'tool_started'>,
  registry: AgentToolRegistry<Context>,
  talk: Talk,
): void {
  const references = registry.get(entry.tool)?.references ?? {};
  const name = toolName(entry.tool);
  const shown: unknown = JSON.parse(shrinkToJson(hideIds(entry.input, references, talk.entities), 300));
  if (!talk.native) {
    assistant.content = JSON.stringify({ tool: name, arguments: shown, why: assistant.content });
    return;
  }
  const call: ToolCall = { id: entry.call, name, arguments: shown };
  assistant.tool_calls = [...(assistant.tool_calls ?? []), call];
}

/** A name that the model made up is outside of the fence, and wires take letters, digits, `_` and `-` alone. */
function toolName(said: string): string {
  return said.replace(/[^\w-]+/g, '_').slice(0, 60);
}

function rendered<Context>(
  registry: AgentToolRegistry<Context>,
  talk: Talk,
  entry: Entry<'tool_ended'>,
  perResult: number,
): string {
  const tool = registry.get(entry.tool);
  if (!tool) return '{}';
  const handle = (kind: string, id: string): string => handleOf(talk.entities, kind, id) ?? '?';
  return shrinkToJson(tool.render(entry.output, handle), perResult);
}

/** What was refused, or failed; a call that was made before gets its earlier result. */
function refusal<Context>(
  registry: AgentToolRegistry<Context>,
  talk: Talk,
  entry: Entry<'tool_failed'>,
  started: Entry<'tool_started'>,
  perResult: number,
): string {
  const twin = entriesOf(talk.journal, 'tool_started').find(
    (earlier) =>
      earlier.n < started.n && earlier.tool === started.tool && canonical(earlier.input) === canonical(started.input),
  );
  const answered = twin && entriesOf(talk.journal, 'tool_ended').find((ended) => ended.call === twin.call);
  const error = shrinkToJson({ error: entry.failure.message }, 120);
  return answered ? `${error}\n${rendered(registry, talk, answered, perResult)}` : error;
}

function startOf(journal: readonly JournalEntry[], call: string): Entry<'tool_started'> | undefined {
  return entriesOf(journal, 'tool_started').find((entry) => entry.call === call);
}
