/**
 * The transcript of a workflow, one JSON object a line: `documents-ask-playbooks-tools.md`, "Message & Trace Model".
 * Made of the journal, or of the steps that a job keeps of it; both say the same. No secrets, no thinking.
 */
import type { ReasoningStep } from '../../job/job.ts';
import type { Workflow } from '../workflow/workflow.ts';
import { redactDeep, journalSteps } from './steps.ts';

/** The transcript's line. */
export interface TranscriptLine {
  /** ISO 8601. */
  ts: string;
  iter: number;
  role: 'planner' | 'tool' | 'system';
  event: 'plan' | 'tool_call' | 'tool_result' | 'finalize' | 'error';
  content: Record<string, unknown>;
}

/** What a line is made of: a job's step fits. */
export type StepLike = Pick<ReasoningStep, 'timestamp' | 'step_type' | 'content' | 'metadata' | 'duration_ms'>;

export function toTranscript(workflow: Pick<Workflow, 'journal' | 'started_at'>): TranscriptLine[] {
  const steps = journalSteps(workflow.journal).map((step): StepLike => {
    const at = step.metadata['at'];
    return { ...step, timestamp: typeof at === 'number' ? at : workflow.started_at };
  });
  return stepsToTranscript(steps);
}

/** Also of jobs that no model was asked about: their steps are lines of the same form. */
export function stepsToTranscript(steps: readonly StepLike[]): TranscriptLine[] {
  const calls = new Set<string>();
  return steps.map((step) => {
    const { call } = step.metadata;
    // A model call is one iteration; a tool's call has a name of its own.
    if (typeof call === 'string' && step.metadata['tool'] === undefined) calls.add(call);
    const { role, event, content } = lineOf(step);
    const clean = redactDeep(content);
    return {
      ts: new Date(step.timestamp).toISOString(),
      iter: calls.size,
      role,
      event,
      content: typeof clean === 'object' && clean !== null ? { ...clean } : {},
    };
  });
}

/** One line each, with a line end after the last. */
export function toJsonl(lines: readonly TranscriptLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function lineOf(step: StepLike): Pick<TranscriptLine, 'role' | 'event' | 'content'> {
  const { metadata, content, duration_ms } = step;
  const tokens = sumOf(metadata['tokens_in'], metadata['tokens_out']);
  const usage = { latency_ms: duration_ms, tokens };
  switch (step.step_type) {
    case 'Context':
      return { role: 'system', event: 'plan', content: { task: content, ...metadata } };
    case 'Thought': {
      const requested = Array.isArray(metadata['calls']) ? metadata['calls'] : [];
      const plan = {
        subquestions: [],
        rationale: content,
        requested_tools: requested.map((name) => ({ name: String(name) })),
      };
      return { role: 'planner', event: 'plan', content: { ...plan, vote: metadata['vote'] ?? null, usage } };
    }
    case 'ToolCall':
      return {
        role: 'tool',
        event: 'tool_call',
        content: { name: metadata['tool'] ?? content, input: metadata['input'] ?? null, by: metadata['by'] ?? null },
      };
    case 'ToolResult':
      return { role: 'tool', event: 'tool_result', content: resultOf(step, true, usage) };
    case 'Error':
      if (metadata['tool'] !== undefined)
        return { role: 'tool', event: 'tool_result', content: resultOf(step, false, usage) };
      return { role: 'system', event: 'error', content: { error: content, ...metadata } };
    case 'Decision':
      return { role: 'planner', event: 'finalize', content: { answer_text: content, citations: [], ...metadata } };
    case 'ReviewQuestion':
      return { role: 'system', event: 'finalize', content: { question: content, ...metadata } };
    case 'ReviewAnswer':
      return { role: 'system', event: 'plan', content: { answer: content, ...metadata } };
    case 'Action':
      return { role: 'system', event: 'finalize', content: { answer_text: content, citations: [], ...metadata } };
  }
}

function resultOf(step: StepLike, ok: boolean, usage: Record<string, unknown>): Record<string, unknown> {
  const { tool, output, provenance } = step.metadata;
  const result = {
    name: tool ?? null,
    ok,
    output: output ?? (ok ? step.content : null),
    provenance: provenance ?? [],
    usage,
  };
  return ok ? result : { ...result, error: step.content };
}

function sumOf(a: unknown, b: unknown): number | null {
  if (typeof a !== 'number' && typeof b !== 'number') return null;
  return (typeof a === 'number' ? a : 0) + (typeof b === 'number' ? b : 0);
}
