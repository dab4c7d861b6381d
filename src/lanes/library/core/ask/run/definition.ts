/**
 * A run as a workflow of core/agent: what comes next, from the journal alone (fold.ts makes the state of it).
 *
 *   ASK-51 everything that a run finds out is written before it is acted on: plans, calls and their results, what was
 *          weighed, what a model wrote; killed anywhere and resumed, it comes to the same answer with no call made twice
 */
import { canonical } from '#core/agent/tools/tool.ts';
import type { LedDefinition, Step } from '#core/agent/workflow/definition.ts';
import { entriesOf, formOf } from '#core/agent/workflow/journal.ts';
import type { JournalEntry, Spent } from '#core/agent/workflow/workflow.ts';
import { composeAnswer } from '../answer/compose.ts';
import type { Answer } from '../answer/answer.types.ts';
import { quotesAsSentences } from '../answer/quotes-writer.ts';
import { assess, type Assessment } from '../evidence/assess.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { planByCode } from '../question/plan-by-code.ts';
import type { SubQuestion, ToolRequest } from '../question/question.types.ts';
import { AskActionSchema, AskInputSchema, type AskAction, type AskInput } from './ask-input.ts';
import { stateOf } from './fold.ts';
import { checkPlan, planForm, readPlan, type KnownTool } from './model-plan.ts';

import type { Note, PlanNote } from './notes.ts';
import { expandedQueries, furtherQueries, ragRequest } from './refine.ts';
import type { AskState } from './states.ts';
import { stopAfter } from './stops.ts';
import { choiceForm, fromChoice } from './writers/choice-writer.ts';
import { letters } from './writers/letters.ts';
import type { Written } from './writers/said.ts';
import { checkText, fromText, textForm } from './writers/text-writer.ts';

/** What a run looks at beside its journal; what comes of it is written down. */
export interface AskWorld {
  /** How much a term of the library tells. */
  weigh(term: string): number;
  /** Whether a source is still as it was found. */
  isCurrent(evidence: Evidence): boolean;
  /** The tools of the run, with what a run checks of their input before it calls them. */
  tools(state: AskState, input: AskInput): readonly KnownTool[];
}

type AskStep = Step<AskAction>;
const note = (content: string, data: Note): AskStep => ({ kind: 'note', content, data });

export function askDefinition<Context>(
  world: AskWorld,
  tools: LedDefinition<AskInput, AskAction, Context>['tools'],
): LedDefinition<AskInput, AskAction, Context> {
  return {
    name: 'ask',
    version: 1,
    input: AskInputSchema,
    action: AskActionSchema,
    tools,
    opens: (input) => ({ content: input.question, data: { ...input } }),
    next: (input, journal, spent) => nextStep(world, input, journal, spent),
  };
}

function nextStep(world: AskWorld, input: AskInput, journal: readonly JournalEntry[], spent: Spent): AskStep {
  const state = stateOf(journal);
  switch (state.phase) {
    case 'init':
    case 'analyze_task':
      return note('The question and its parts.', { step: 'analysed', ...partsOf(world, input) });
    case 'plan_or_refine':
      return planned(world, input, journal, state);
    case 'run_tools': {
      const [request] = state.requested;
      return { kind: 'call', tool: request?.name ?? '', input: request?.input ?? {}, by: request?.by ?? 'code' };
    }
    case 'assess_sufficiency':
      return assessed(input, journal, state, spent);
    case 'finalize':
    case 'emit_result':
      return finalized(world, input, journal, state);
  }
}

function partsOf(
  world: AskWorld,
  { question, after = null }: AskInput,
): { subquestions: SubQuestion[]; weights: Record<string, number> } {
  const { weigh, weights } = weighing(world);
  return { subquestions: planByCode(question, { weigh, after }).subquestions, weights };
}

/** The library's weights, and those that were asked for. */
function weighing(world: AskWorld): { weigh: AskWorld['weigh']; weights: Record<string, number> } {
  const weights: Record<string, number> = {};
  return { weigh: (term) => (weights[term] = world.weigh(term)), weights };
}

const weighed = new WeakMap<AskState, Assessment>();

function assessmentOf(state: AskState): Assessment {
  let known = weighed.get(state);
  if (known === undefined) weighed.set(state, (known = assess(state.subquestions, state.evidence)));
  return known;
}

const callKey = ({ name, input }: ToolRequest): string => `${name} ${canonical(input)}`;

function callsMade(journal: readonly JournalEntry[]): Set<string> {
  return new Set(entriesOf(journal, 'tool_started').map(({ tool, input }) => `${tool} ${canonical(input)}`));
}

function queriesMade(journal: readonly JournalEntry[]): Set<string> {
  return new Set(
    entriesOf(journal, 'tool_started').flatMap(({ input }) => {
      const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : null;
      return typeof query === 'string' ? [query] : [];
    }),
  );
}

function planned(world: AskWorld, input: AskInput, journal: readonly JournalEntry[], state: AskState): AskStep {
  const iter = state.iteration + 1;
  const tools = world.tools(state, input);
  const made = callsMade(journal);
  const before = state.rounds.length === 0 ? null : assessmentOf(state);
  const code = codePlan(input, journal, state, made);
  if (input.planner === 'code' || !input.options.enabled) return note('The next look.', { ...code, iter });
  const name = `plan ${iter}`;
  const form = formOf(journal, name);
  if (form === null) return { kind: 'write', form: planForm(name, input, tools, before) };
  if (form.kind === 'unwritten') return note('The next look, without the model.', { ...code, iter });
  const plan = readPlan(form.value);
  const own = state.subquestions.map(({ text }) => text);
  const checked = checkPlan(plan, { own, options: input.options, tools, made });
  return note('The next look.', {
    step: 'planned',
    iter,
    by: 'model',
    ...checked,
    // The parts that are weighed and answered are code's: what a model names is searched for, and makes no part.
    subquestions: state.subquestions,
    searched: checked.subquestions,
    weights: {},
    rationale: plan.why === '' ? null : plan.why.slice(0, 300),
    said: before === null ? null : (plan.confidence ?? null),
  });
}

function codePlan(
  { question, after = null, options }: AskInput,
  journal: readonly JournalEntry[],
  state: AskState,
  made: ReadonlySet<string>,
): Omit<PlanNote, 'iter'> {
  const { retriever, expand } = options;
  const retrieves = options.tools.allow.includes('rag_retrieve');
  const assessment = assessmentOf(state);
  const asked = queriesMade(journal);
  let queries: string[];
  let expanded: string[] = [];
  if (!options.enabled) queries = [question];
  else if (state.iteration === 0) {
    queries = planByCode(question, { after }).requested_tools.map(({ input }) => String(input['query']));
    expanded = expandedQueries(assessment, new Set(queries), expand);
  } else queries = furtherQueries(assessment, asked, expand);
  const requested_tools = retrieves
    ? [...queries, ...expanded]
        .map((query) => ragRequest(query, retriever))
        .filter((request) => !made.has(callKey(request)))
    : [];
  const { subquestions } = state;
  const plan = {
    subquestions,
    searched: [],
    weights: {},
    expanded_queries: expanded,
    requested_tools,
    stop_if: {},
    refused: [],
  };
  return { step: 'planned', by: 'code', ...plan, rationale: null, said: null };
}

function assessed({ options }: AskInput, journal: readonly JournalEntry[], state: AskState, spent: Spent): AskStep {
  const { confidence, sufficient } = assessmentOf(state);
  const sure = Math.min(confidence, state.said ?? 1);
  const round = { iter: state.iteration, confidence: sure, sufficient, added: state.added };
  const plan = entriesOf(journal, 'context').findLast(({ data }) => (data as { step?: string }).step === 'planned');
  const wished = (plan?.data as PlanNote | undefined)?.stop_if ?? {};
  const limits = options.enabled ? options : { ...options, iterations: 1 };
  return note(sufficient ? 'What was found suffices.' : 'What was found does not suffice.', {
    step: 'assessed',
    ...round,
    stop: stopAfter(round, spent, limits, wished),
  });
}

function finalized(world: AskWorld, input: AskInput, journal: readonly JournalEntry[], state: AskState): AskStep {
  const last = entriesOf(journal, 'context').at(-1);
  const isChecked = (last?.data as { step?: string } | undefined)?.step === 'changed';
  if (!isChecked) {
    const source_ids = state.evidence.filter((one) => !world.isCurrent(one)).map(({ source_id }) => source_id);
    return note(source_ids.length === 0 ? 'Every source is as it was.' : 'Sources have changed.', {
      step: 'changed',
      source_ids,
    });
  }
  const assessment = assessmentOf(state);
  const written = writtenBy(input, journal, state, assessment);
  if ('kind' in written) return written;
  return {
    kind: 'act',
    action: { type: 'Answer', answer: answerOf(input, state, assessment, written) },
    why: state.stop?.sentence ?? '',
  };
}

const QUOTES_INSTEAD = 'The model could not be asked for the answer: these are the sentences of the sources.';

function writtenBy(
  { question, task, writer }: AskInput,
  journal: readonly JournalEntry[],
  { evidence }: AskState,
  assessment: Assessment,
): Written | AskStep {
  const quotes = (limitations: string[]): Written => ({
    sentences: quotesAsSentences(assessment),
    said: null,
    limitations,
  });
  if (writer === 'quotes' || letters(assessment).length === 0) return quotes([]);
  const form = formOf(journal, 'answer');
  if (writer === 'choice') {
    if (form === null) return { kind: 'write', form: choiceForm('answer', question, task, assessment) };
    return form.kind === 'written'
      ? fromChoice(form.value, assessment)
      : quotes([`${QUOTES_INSTEAD} ${form.sentence}`]);
  }
  if (form === null) return { kind: 'write', form: textForm('answer', question, task, assessment) };
  if (form.kind === 'unwritten') return quotes([`${QUOTES_INSTEAD} ${form.sentence}`]);
  const faults = checkText(form.value, assessment, evidence).checked.flatMap(({ text, faults: own }) =>
    own.map((fault) => `${text.slice(0, 200)}: ${fault}`),
  );
  if (faults.length === 0) return fromText(form.value, assessment, evidence);
  const again = formOf(journal, 'answer again');
  if (again === null)
    return { kind: 'write', form: textForm('answer again', question, task, assessment, faults.slice(0, 12)) };
  return fromText(again.kind === 'written' ? again.value : form.value, assessment, evidence);
}

function answerOf({ task, writer }: AskInput, state: AskState, assessment: Assessment, written: Written): Answer {
  const limitations = [...written.limitations, ...state.failures];
  if (state.changed.length > 0)
    limitations.push(`Left out, for it changed while the question was answered: ${state.changed.join(', ')}.`);
  if (state.stop !== null && !['sufficient', 'confidence'].includes(state.stop.bound) && !assessment.sufficient)
    limitations.push(state.stop.sentence);
  if (task !== null && writer !== 'text')
    limitations.push(`The form of the answer ("${task}") is left to a model that writes; none did.`);
  const { evidence } = state;
  const answer = composeAnswer({ assessment, evidence, sentences: written.sentences, limitations });
  const confidence = Math.min(answer.confidence, state.said ?? 1, written.said ?? 1);
  return { ...answer, confidence };
}
