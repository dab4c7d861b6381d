/** Where runs are, as pages look at them: in this browser, or on the server. */
import type { Past } from '../core/run/past.ts';
import type { ReadFiles } from '../core/run/ports.ts';

export interface RunPlace {
  /** Its journal. Throws AccessionError `not_found`. */
  lines(id: string): Promise<unknown[]>;
  /** What its journal says up to now. */
  past(id: string): Promise<Past>;
  /** Paths of the files that its steps wrote: those of closed ones first. */
  made(id: string, past: Past): Promise<string[]>;
  /** The root that it reads. */
  files(id: string): Promise<ReadFiles>;
  /** null: there is no such file. */
  text(id: string, path: string): Promise<string | null>;
}

/** Files of closed steps, then the others. */
export function closedFirst(past: Past, others: readonly string[]): string[] {
  const closed = [...past.steps.values()].flatMap((step) => step.closed?.files.map(({ path }) => path) ?? []);
  const known = new Set(closed);
  return [...closed, ...others.filter((path) => !known.has(path))];
}
