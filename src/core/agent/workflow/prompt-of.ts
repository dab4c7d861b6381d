/** What the model is asked next, from the workflow alone: after a crash the very same prompt is made again. */
import type { JsonSchema, Message, ToolDefinition, Capabilities } from '../llm/provider.ts';
import {
  choiceEnvelope,
  entityOfOption,
  promptTokens,
  tokensOf,
  toolsEnvelope,
  type Envelope,
  type Room,
} from '../prompt/envelope.ts';
import { actionSchema, choiceSchema } from '../prompt/answer.ts';
import { showEntities } from '../tools/handles.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { askAgain, turnsOf } from './conversation.ts';
import type { Brief, WorkflowDefinition } from './definition.ts';
import { entriesOf, timesFull, toolResults } from './journal.ts';
import type { Entity, JournalEntry, Workflow } from './workflow.ts';

export interface Prompt {
  /** `ballot 2 of 3`, `turn 4`. */
  purpose: string;
  messages: Message[];
  tools: ToolDefinition[] | undefined;
  schema: { name: string; schema: JsonSchema } | undefined;
  /** Of the ballot; empty in the tools strategy. */
  letters: Envelope['letters'];
  /** With what the options themselves show. */
  entities: Record<string, Entity>;
  tokens: number;
  /** 0-based: which ballot. */
  ballot: number;
}

/** A prompt, or the sentence that says why there is nothing to ask. */
export type PromptOutcome = { ok: true; prompt: Prompt } | { ok: false; bound: string; sentence: string };

const TOO_LONG = 'The question does not fit into the context of the model.';

export function promptOf<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  definition: WorkflowDefinition<Input, Action, Context>,
  registry: AgentToolRegistry<Context>,
  capabilities: Capabilities,
): PromptOutcome {
  const results = toolResults(workflow.journal);
  const brief = definition.brief(workflow.input, results);
  const room = { contextLength: capabilities.contextLength, squeeze: timesFull(workflow.journal) };
  if (workflow.strategy === 'choice') return ballotPrompt(workflow, definition, brief, room, capabilities);
  const allowed = definition.allowed(workflow.input, results);
  return turnPrompt(workflow, definition.instructions.tools, { brief, allowed, registry, capabilities, room });
}

/** The ballots cast so far. */
export function ballotsOf(journal: readonly JournalEntry[]): { vote: NonNullable<Vote>; why: string }[] {
  return entriesOf(journal, 'thought').flatMap(({ vote, why }) => (vote === null ? [] : [{ vote, why }]));
}
type Vote = Extract<JournalEntry, { kind: 'thought' }>['vote'];

function ballotPrompt<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  definition: WorkflowDefinition<Input, Action, Context>,
  brief: Brief,
  room: Room,
  capabilities: Capabilities,
): PromptOutcome {
  if (brief.choices.length === 0)
    return { ok: false, bound: 'options', sentence: 'Nothing was found that the model could choose from.' };
  const ballot = ballotsOf(workflow.journal).length;
  const asked = choiceEnvelope(brief, definition.instructions.choice, { seed: workflow.seed, ballot }, room);
  if (!asked.fits) return { ok: false, bound: 'context', sentence: TOO_LONG };
  const bound = capabilities.jsonSchema || capabilities.grammar;
  const messages = alternating([...asked.messages, ...again(workflow.journal)]);
  return {
    ok: true,
    prompt: {
      purpose: `ballot ${ballot + 1} of ${definition.ballots}`,
      messages,
      tools: undefined,
      schema: bound ? choiceSchema(asked.letters.map(({ letter }) => letter)) : undefined,
      letters: asked.letters,
      entities: workflow.entities,
      tokens: tokensOf(messages),
      ballot,
    },
  };
}

interface TurnParts<Context> {
  brief: Brief;
  allowed: readonly string[];
  registry: AgentToolRegistry<Context>;
  capabilities: Capabilities;
  room: Room;
}

function turnPrompt<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  instructions: string,
  { brief, allowed, registry, capabilities, room }: TurnParts<Context>,
): PromptOutcome {
  const shown = brief.choices.flatMap((choice) => entityOfOption(choice.option_id) ?? []);
  const entities = showEntities(workflow.entities, shown);
  const offered = registry.definitions(allowed, entities);
  if (offered.length === 0)
    return { ok: false, bound: 'tools', sentence: 'There is no tool that could be called now.' };

  const native = capabilities.nativeTools;
  const opening = toolsEnvelope(
    brief,
    instructions,
    { seed: workflow.seed, entities, asJson: !native },
    { ...room, contextLength: Math.floor(room.contextLength * 0.6) },
  );
  const offeredTokens = tokensOf([{ role: 'system', content: JSON.stringify(offered) }]);
  const left = promptTokens(room) - opening.tokens - offeredTokens;
  const turns = turnsOf(registry, {
    journal: workflow.journal,
    entities,
    nonce: opening.nonce,
    native,
    mostTokens: left,
  });
  if (!opening.fits || turns === null) return { ok: false, bound: 'context', sentence: TOO_LONG };
  const bound = capabilities.jsonSchema || capabilities.grammar;
  const messages = alternating([...opening.messages, ...turns]);
  return {
    ok: true,
    prompt: {
      purpose: `turn ${entriesOf(workflow.journal, 'thought').length + 1}`,
      messages,
      tools: native ? offered : undefined,
      schema: !native && bound ? actionSchema(offered) : undefined,
      letters: [],
      entities,
      tokens: tokensOf(messages) + offeredTokens,
      ballot: 0,
    },
  };
}

/** After an answer that could not be read, the same question with what was wrong. */
function again(journal: readonly JournalEntry[]): Message[] {
  for (const entry of [...journal].reverse()) {
    if (entry.kind === 'thought') return [];
    if (entry.kind === 'unparsed') return [{ role: 'user', content: askAgain(entry.reason) }];
  }
  return [];
}

/** Chat templates of some models (Gemma, Mistral) refuse two messages of one role in a row. */
function alternating(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else merged.push(message);
  }
  return merged;
}
