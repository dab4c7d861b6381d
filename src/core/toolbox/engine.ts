/** What runs inside the cage: one engine, opened once, called one job at a time. */
import type { CageJob } from './cage.ts';

export interface Engine {
  /** Of the engine and of what carries it. */
  versions: readonly string[];
  /** JSON. Throws AccessionError for what it refuses or cannot do; any other error is `internal`. */
  call(job: Pick<CageJob, 'program' | 'data'>): unknown;
  /** It broke, and answers nothing more: the next call wants a new one. */
  broken?(): boolean;
}
