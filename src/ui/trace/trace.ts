import { stepsToTranscript, toJsonl } from '#core/agent/reasoning/transcript.ts';
import type { ReasoningStep } from '#core/job/job.ts';

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
