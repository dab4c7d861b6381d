import { stepsToTranscript, toJsonl } from '#core/agent/reasoning/transcript.ts';
import type { ReasoningStep } from '#core/job/job.ts';
import { downloadBlob } from '../parts/download.ts';

/**
 * The transcript, one JSON object a line in the order of the steps: what *Copy* and *Download* give. `files` are names
 * by job id: where the trace is of several files, each line says whose it is.
 */
export function transcriptText(steps: readonly ReasoningStep[], files?: ReadonlyMap<string, string>): string {
  const lines = stepsToTranscript(steps).map((line, i) => {
    const file = files?.get(steps[i]?.job_id ?? '');
    return file === undefined ? line : { ...line, content: { file, ...line.content } };
  });
  return toJsonl(lines);
}

/** Offers a text as a file. */
export function downloadText(name: string, text: string): void {
  downloadBlob(name, new Blob([text], { type: 'application/x-ndjson' }));
}

/** Names of the step types as a person reads them. */
export const STEP_WORDS: Record<ReasoningStep['step_type'], string> = {
  Context: 'Context',
  Thought: 'Thought',
  ToolCall: 'Tool call',
  ToolResult: 'Result',
  Decision: 'Decision',
  ReviewQuestion: 'Question',
  ReviewAnswer: 'Answer',
  Action: 'Action',
  Error: 'Error',
};
