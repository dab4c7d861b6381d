/** What the model is asked next, from the workflow alone: after a crash the very same prompt is made again. */
import type { JsonSchema, Message, ToolDefinition, Capabilities } from '../llm/provider.ts';
import {
  choiceEnvelope,
  entityOfOption,
  promptTokens,
  tokensOf,
  toolsEnvelope,
  type Envelope,
} from '../prompt/envelope.ts';
import { actionSchema, choiceSchema } from '../prompt/answer.ts';
import { formEnvelope } from '../prompt/form.ts';
import { showEntities } from '../tools/handles.ts';
import type { AgentToolRegistry } from '../tools/registry.ts';
import { askAgain, turnsOf } from './conversation.ts';
import type { Form, WorkflowDefinition } from './definition.ts';
import { entriesOf, READ, timesFull, toolResults } from './journal.ts';
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
  /** What is to be written; null where a letter or a call is asked for. */
  form: Form | null;
}

/** A prompt, or the sentence that says why there is nothing to ask. */
export type PromptOutcome = { ok: true; prompt: Prompt } | { ok: false; bound: string; sentence: string };

const TOO_LONG = 'The question does not fit into the context of the model.';

export function promptOf<Input, Action, Context>(
  { input, journal, seed, entities, strategy }: Workflow<Input, Action>,
  definition: WorkflowDefinition<Input, Action, Context>,
  registry: AgentToolRegistry<Context>,
  capabilities: Capabilities,
): PromptOutcome {
  const results = toolResults(journal);
  const brief = definition.brief(input, results);
  const room = { contextLength: capabilities.contextLength, squeeze: timesFull(journal) };
  const bound = capabilities.jsonSchema || capabilities.grammar;
  return strategy === 'choice' ? ballotPrompt() : turnPrompt();

  function ballotPrompt(): PromptOutcome {
    if (brief.choices.length === 0)
      return { ok: false, bound: 'options', sentence: 'Nothing was found that the model could choose from.' };
    const ballot = ballotsOf(journal).length;
    const asked = choiceEnvelope(brief, definition.instructions.choice, { seed, ballot }, room);
    if (!asked.fits) return { ok: false, bound: 'context', sentence: TOO_LONG };
    const messages = alternating([...asked.messages, ...again(journal)]);
    return {
      ok: true,
      prompt: {
        purpose: `ballot ${ballot + 1} of ${definition.ballots}`,
        messages,
        tools: undefined,
        schema: bound ? choiceSchema(asked.letters.map(({ letter }) => letter)) : undefined,
        letters: asked.letters,
        entities,
        tokens: tokensOf(messages),
        form: null,
      },
    };
  }

  function turnPrompt(): PromptOutcome {
    const shown = showEntities(
      entities,
      brief.choices.flatMap((choice) => entityOfOption(choice.option_id) ?? []),
    );
    const offered = registry.definitions(definition.allowed(input, results), shown);
    if (offered.length === 0)
      return { ok: false, bound: 'tools', sentence: 'There is no tool that could be called now.' };

    const native = capabilities.nativeTools;
    const opening = toolsEnvelope(
      brief,
      definition.instructions.tools,
      { seed, entities: shown, asJson: !native },
      { ...room, contextLength: Math.floor(room.contextLength * 0.6) },
    );
    const offeredTokens = tokensOf([{ role: 'system', content: JSON.stringify(offered) }]);
    const mostTokens = promptTokens(room) - opening.tokens - offeredTokens;
    const turns = turnsOf(registry, { journal, entities: shown, nonce: opening.nonce, native, mostTokens });
    if (!opening.fits || turns === null) return { ok: false, bound: 'context', sentence: TOO_LONG };
    const messages = alternating([...opening.messages, ...turns]);
    return {
      ok: true,
      prompt: {
        purpose: `turn ${entriesOf(journal, 'thought').length + 1}`,
        messages,
        tools: native ? offered : undefined,
        schema: !native && bound ? actionSchema(offered) : undefined,
        letters: [],
        entities: shown,
        tokens: tokensOf(messages) + offeredTokens,
        form: null,
      },
    };
  }
}

/** A form as it is asked for now. */
export function formPrompt(
  { journal, seed, entities }: Workflow,
  form: Form,
  capabilities: Capabilities,
): PromptOutcome {
  const room = { contextLength: capabilities.contextLength, squeeze: timesFull(journal) };
  const asked = formEnvelope(form, seed, room);
  if (!asked.fits) return { ok: false, bound: 'context', sentence: TOO_LONG };
  const messages = alternating([...asked.messages, ...again(journal)]);
  const schema = form.written === undefined ? (form.answer?.json ?? null) : form.written.json;
  const bound = schema !== null && (capabilities.jsonSchema || capabilities.grammar);
  return {
    ok: true,
    prompt: {
      purpose: form.name,
      messages,
      tools: undefined,
      schema: bound ? { name: 'form', schema } : undefined,
      letters: [],
      entities,
      tokens: tokensOf(messages),
      form,
    },
  };
}

/** The ballots cast so far. */
export function ballotsOf(journal: readonly JournalEntry[]): { vote: NonNullable<Vote>; why: string }[] {
  return entriesOf(journal, 'thought').flatMap(({ vote, why }) => (vote === null ? [] : [{ vote, why }]));
}
type Vote = Extract<JournalEntry, { kind: 'thought' }>['vote'];

/** After an answer that could not be read, the same question with what was wrong. */
function again(journal: readonly JournalEntry[]): Message[] {
  const last = journal.findLast(({ kind }) => READ.has(kind));
  return last?.kind === 'unparsed' ? [{ role: 'user', content: askAgain(last.reason) }] : [];
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
