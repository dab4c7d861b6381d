/** What crosses between the worker and its media thread. */
import type { ConvertRequest } from '#core/job/convert-request.ts';
import type { Failure } from '#core/errors.ts';
import type { ProbeOutcome } from '../../browser/api.ts';

export interface MediaSetup {
  /** Directory of the blobs in hand. */
  blobs: string;
  /** A native ffmpeg that was found to work; null: the one in WebAssembly. */
  ffmpeg: string | null;
}

export type MediaTask = { kind: 'probe'; sha256: string; name: string } | { kind: 'convert'; request: ConvertRequest };

export interface Converted {
  sha256: string;
  size: number;
  duration_ms: number;
  conversion_reason: string;
  verified: string[];
}

export type MediaAnswer =
  | { kind: 'probed'; outcome: ProbeOutcome }
  | { kind: 'converted'; done: Converted }
  | { kind: 'failed'; failure: Failure };
