import { failed } from '../errors.ts';
import type { Journal, JournalEnd, MoveStep, RenameStep, ReplaceStep } from './rename-journal.ts';

/** What a file was when a step was done with it. */
export interface Stamp {
  size: number;
  modified: number;
}

/** How far a journal is. */
export interface Replayed {
  direction: 'forward' | 'back';
  /** By index of the step: it is done and not taken back. */
  applied: boolean[];
  /** The step that was in hand when the journal stops: only the disk knows whether it was done. */
  unclear: number | null;
  /** By row: the file as it was last seen. */
  stamps: Map<number, Stamp>;
  /** By index: a directory step that found nothing to do, which taking back leaves alone. */
  idle: Set<number>;
  /** Null while the journal is open. */
  ended: JournalEnd | null;
  /** It was whole once: taking it back now is an undo. */
  wasDone: boolean;
}

/** @throws AccessionError `storage_failed` where the records do not fit the steps */
export function replayJournal({ head, records }: Journal): Replayed {
  const state: Replayed = {
    direction: 'forward',
    applied: head.steps.map(() => false),
    unclear: null,
    stamps: new Map(),
    idle: new Set(),
    ended: null,
    wasDone: false,
  };
  for (const step of head.steps)
    if (isWork(step) && !state.stamps.has(step.row)) state.stamps.set(step.row, wasBefore(step));
  for (const record of records) {
    if (record.kind === 'intent' || record.kind === 'done') {
      const step = head.steps[record.step];
      if (step === undefined) throw failed('storage_failed', `The journal of rename ${head.id} is damaged.`);
      state.unclear = record.kind === 'intent' ? record.step : null;
      if (record.kind === 'done') noteDone(state, step, record);
      continue;
    }
    // An intent that nothing says is done was checked on the disk, and had not happened.
    state.unclear = null;
    if (record.kind === 'turn') {
      state.direction = record.to;
      state.ended = null;
    } else {
      state.ended = record.result;
      state.wasDone = record.result === 'done';
    }
  }
  return state;
}

function noteDone(
  state: Replayed,
  step: RenameStep,
  record: { step: number; size?: number | undefined; modified?: number | undefined; changed?: boolean | undefined },
): void {
  state.applied[record.step] = state.direction === 'forward';
  if (isWork(step)) {
    noteStamp(state, step, record);
  } else if (state.direction === 'forward') {
    if (record.changed === false) state.idle.add(record.step);
    else state.idle.delete(record.step);
  }
}

/** A step that does something with a row's file. */
export const isWork = (step: RenameStep): step is MoveStep | ReplaceStep => step.do === 'move' || step.do === 'replace';

const wasBefore = (step: MoveStep | ReplaceStep): Stamp =>
  step.do === 'move' ? step : { size: step.before.size, modified: step.modified };

/** What a file is after a step: what was found then, or else what it was before. */
export function noteStamp(
  { stamps }: Pick<Replayed, 'stamps'>,
  step: MoveStep | ReplaceStep,
  found: { size?: number | undefined; modified?: number | undefined },
): void {
  const before = wasBefore(step);
  stamps.set(step.row, { size: found.size ?? before.size, modified: found.modified ?? before.modified });
}

/** A move in the direction in which it is (to be) made. */
export function turned(step: MoveStep, direction: 'forward' | 'back'): { from: string; to: string } {
  return direction === 'forward' ? step : { from: step.to, to: step.from };
}

/** By row: where each file is, by what the journal knows. Unclear steps count as not done. */
export function placesOf(steps: readonly RenameStep[], applied: readonly boolean[]): Map<number, string> {
  const places = new Map<number, string>();
  steps.forEach((step, i) => {
    if (!isWork(step)) return;
    if (!places.has(step.row)) places.set(step.row, step.do === 'move' ? step.from : step.path);
    if (step.do === 'move' && applied[i] === true) places.set(step.row, step.to);
  });
  return places;
}

/** All names that a row's file has on its way, first to last. */
export function stationsOf(steps: readonly RenameStep[], row: number): string[] {
  const moves = steps.filter((step): step is MoveStep => step.do === 'move' && step.row === row);
  return [...moves.slice(0, 1).map(({ from }) => from), ...moves.map(({ to }) => to)];
}
