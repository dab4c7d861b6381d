/**
 * A journal as the specification's reasoning steps (section 4).
 *
 *   AGENT-18 all nine step types occur; a `Thought` holds the model's short why, never raw thinking; calls read like
 *            `search_catalog({"query":"..."})`; no secret is in any of them.
 */
import type { ReasoningStepType, StepDraft } from '../../job/job.ts';
import type { JournalEntry, Verdict } from '../workflow/workflow.ts';
import { entriesOf, lastOf } from '../workflow/journal.ts';
import { isRecord } from '../tools/tool.ts';

/** Secrets have no place in a log. Messages of servers may repeat what was sent to them. */
const SECRETS: readonly RegExp[] = [
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|AIza|ghp|gho|glpat)[-_][A-Za-z0-9_-]{12,}/g,
  // Only what looks like a key: "The Secret: Beginnings" is a title.
  /((?:api[-_]?key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)(?=[^\s"'&,;}]*\d)[^\s"'&,;}]{12,}/gi,
  /(https?:\/\/)[^\s/@:]+:[^\s/@]+@/gi,
];

export function redact(text: string): string {
  return SECRETS.reduce(
    (out, secret) => out.replace(secret, (_whole, kept: unknown) => `${keptOf(kept)}[removed]`),
    text,
  );
}

/** The same, as long as it was: places in the text stay right. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce(
    (out, secret) =>
      out.replace(
        secret,
        (whole: string, kept: unknown) => keptOf(kept) + '•'.repeat(whole.length - keptOf(kept).length),
      ),
    text,
  );
}

/** Every text inside a JSON value. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactDeep(inner)]));
}

function keptOf(group: unknown): string {
  if (typeof group !== 'string') return '';
  return /^(bearer|basic)$/i.test(group) ? `${group} ` : group;
}

export type AgentStep = Required<StepDraft>;

/** Characters of a step's line; the rest is in the metadata. */
const LINE = 400;
/** Characters of a result that a step keeps; the whole one is in the workflow. */
const KEPT_RESULT = 4000;

/** Steps of the entries from `from` on (counted from 0); earlier ones are read for what belongs to them. */
export function journalSteps(journal: readonly JournalEntry[], from = 0): AgentStep[] {
  return journal.slice(from).flatMap((entry) => {
    const step = stepOf(entry, journal);
    if (!step) return [];
    const metadata = { ...step.metadata, agent: true, entry: entry.n, at: entry.at };
    const clean: unknown = redactDeep(metadata);
    return [{ ...step, content: redact(step.content), metadata: isRecord(clean) ? clean : {} }];
  });
}

function stepOf(entry: JournalEntry, journal: readonly JournalEntry[]): AgentStep | null {
  switch (entry.kind) {
    case 'context':
      return step('Context', entry.content, isRecord(entry.data) ? entry.data : {});
    case 'model_started':
    case 'model_ended':
      // Their tokens and time are on the Thought, the Error or the call that came of them.
      return null;
    case 'model_failed': {
      const { code, message, remedy } = entry.failure;
      return step('Error', message, { code, remedy, call: entry.call }, tookOf(entry, journal));
    }
    case 'unparsed':
      return step(
        'Error',
        `The model's answer could not be read: ${entry.reason}.`,
        { ...modelFacts(entry.call, journal), reason: entry.reason },
        tookOf(entry, journal),
      );
    case 'thought': {
      const ended = lastOf(journal.slice(0, entry.n - 1), 'model_ended');
      const facts = ended ? modelFacts(ended.call, journal) : {};
      const vote = entry.vote ? { vote: entry.vote.answer, logprob: entry.vote.logprob } : {};
      const content = entry.why === '' ? 'The model gave no reason.' : entry.why;
      return step('Thought', content, { ...facts, ...vote }, ended ? ended.usage.milliseconds : null);
    }
    case 'tool_started': {
      const { tool, input, by, call } = entry;
      return step('ToolCall', shorten(`${tool}(${JSON.stringify(input) ?? ''})`), { tool, input, by, call });
    }
    case 'tool_ended': {
      const { tool, call, output, provenance, milliseconds } = entry;
      const text = JSON.stringify(output) ?? 'null';
      const kept = text.length <= KEPT_RESULT ? output : `${text.slice(0, KEPT_RESULT)}…`;
      return step('ToolResult', shorten(text), { tool, call, ok: true, output: kept, provenance }, milliseconds);
    }
    case 'tool_failed': {
      const { tool, call, failure, milliseconds } = entry;
      const facts = { tool, call, ok: false, code: failure.code, remedy: failure.remedy };
      return step('Error', `${tool}: ${failure.message}`, facts, milliseconds);
    }
    case 'verdict':
      return step('Decision', verdictSentence(entry.verdict), { verdict: entry.verdict });
    case 'written':
      return step('Thought', `The model wrote: ${entry.form}.`, {
        ...modelFacts(entry.call, journal),
        form: entry.form,
      });
    case 'unwritten':
      return step('Error', entry.sentence, { bound: entry.bound, form: entry.form });
    case 'asked':
      return step('ReviewQuestion', entry.question, { why: entry.why, options: entry.options });
    case 'answered':
      return step('ReviewAnswer', `A person answered: ${entry.option_id}`, {
        option_id: entry.option_id,
        by: entry.by,
      });
    case 'action':
      return entry.phase === 'decided'
        ? step('Decision', entry.why || 'Decided.', { action: entry.action })
        : step('Action', actionSentence(entry.action), { action: entry.action, why: entry.why });
    case 'stopped':
      return step('Error', entry.sentence, { bound: entry.bound });
    case 'error':
      return step('Error', entry.failure.message, { code: entry.failure.code, remedy: entry.failure.remedy });
  }
}

function step(
  step_type: ReasoningStepType,
  content: string,
  metadata: Record<string, unknown>,
  duration_ms: number | null = null,
): AgentStep {
  return { step_type, content, metadata, duration_ms };
}

function modelFacts(call: string, journal: readonly JournalEntry[]): Record<string, unknown> {
  const started = entriesOf(journal, 'model_started').find((entry) => entry.call === call);
  const ended = entriesOf(journal, 'model_ended').find((entry) => entry.call === call);
  const purpose = started ? { purpose: started.purpose } : {};
  if (!ended) return { call, ...purpose };
  const { tokens_in, tokens_out } = ended.usage;
  const calls = ended.tool_calls.map(({ name }) => name);
  return { call, ...purpose, tokens_in, tokens_out, finish_reason: ended.finish_reason, calls };
}

/** Milliseconds of the model call that an entry is about. */
function tookOf(entry: { call: string; at: number }, journal: readonly JournalEntry[]): number | null {
  const ended = entriesOf(journal, 'model_ended').find(({ call }) => call === entry.call);
  if (ended) return ended.usage.milliseconds;
  const started = entriesOf(journal, 'model_started').find(({ call }) => call === entry.call);
  return started ? Math.max(0, entry.at - started.at) : null;
}

function verdictSentence(verdict: Verdict): string {
  const agreement = `agreement ${Math.round(verdict.agreement * 100)} %`;
  const why = verdict.why === '' ? '' : ` ${verdict.why}`;
  switch (verdict.kind) {
    case 'option':
      return `The model chose ${verdict.option_id} (${agreement}).${why}`;
    case 'none':
      return `The model says that none of the options is right (${agreement}).${why}`;
    case 'ask':
      return `The model leaves it to a person (${agreement}).${why}`;
  }
}

function actionSentence(action: unknown): string {
  if (action === null) return 'Nothing is done.';
  const type = isRecord(action) && typeof action['type'] === 'string' ? action['type'] : 'Action';
  const rest = isRecord(action)
    ? Object.fromEntries(Object.entries(action).filter(([name]) => name !== 'type'))
    : action;
  return shorten(`${type}(${JSON.stringify(rest) ?? ''})`);
}

function shorten(text: string): string {
  return text.length <= LINE ? text : `${text.slice(0, LINE - 1)}…`;
}
