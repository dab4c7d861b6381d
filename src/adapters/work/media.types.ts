/** What is asked of whoever probes and converts, and what that answers; it crosses a thread's boundary. */
import type { ConvertRequest } from '#core/job/convert-request.ts';
import type { Failure } from '#core/errors.ts';
import type { ProbeOutcome, TranscodeDone } from '../browser/api.ts';

export type MediaTask = { kind: 'probe'; sha256: string; name: string } | { kind: 'convert'; request: ConvertRequest };

export type MediaAnswer =
  | { kind: 'probed'; outcome: ProbeOutcome }
  | { kind: 'converted'; done: TranscodeDone }
  | { kind: 'failed'; failure: Failure };
