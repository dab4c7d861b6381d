/** A run told again from its journal: nothing is done, and the same must come of it. */
import { canonical } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { JournalLine } from './ports.ts';
import { advance, type Run, type RunEnd } from './run-machine.ts';

export interface Replayed {
  run: Run;
  /** null: the journal ends before the run did. */
  end: RunEnd | null;
  /** What its steps changed, the same text for the same changes. */
  diff: string;
}

/** The lines of one run, in order. Throws AccessionError `invalid` where they are none, or what they say cannot follow. */
export function replayRun(lines: readonly JournalLine[]): Replayed {
  const [first, ...rest] = lines;
  if (first?.event.kind !== 'begun') throw failed('invalid', 'The journal of a run begins with its begin.');
  let { run } = first.event;
  let end: RunEnd | null = null;
  for (const [index, { run: id, n, at, event }] of rest.entries()) {
    if (id !== run.id || n !== index + 2) throw failed('invalid', `The journal of a run has a gap before line ${n}.`);
    if (end !== null || event.kind === 'begun') throw failed('invalid', `Line ${n} cannot follow: the run was over.`);
    const next = advance(run, event, at);
    if (next.effect.do === 'nothing' && event.kind !== 'guide_came')
      throw failed('invalid', `Line ${n} cannot follow: the run did not wait for "${event.kind}".`);
    run = { ...next.run, lines: n };
    if (next.effect.do === 'end') ({ end } = next.effect);
  }
  return { run, end, diff: canonical(run.steps.map(({ tool, report }) => ({ tool, diff: report.diff }))) };
}
