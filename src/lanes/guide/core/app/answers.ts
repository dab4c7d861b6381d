/**
 * What a person says to faults that are somebody's claim: nobody but a person knows who is right, and there may be
 * hundreds of a kind. An answer is given to all open ones of a code at once; what it does is a person's mend of each, and
 * taken back like one.
 */
import type { Clock, Ids } from '#core/ports.ts';
import type { FaultType } from '../faults/fault.ts';
import type { Dismissal } from '../store/guide-records.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { mendsOf } from './answer-mends.ts';
import { fillMends, type PlacedMend } from './fill.ts';
import { openFaults, type OpenFault } from './open-faults.ts';

export interface AnswerWish {
  /** Null: of all guides. */
  guide: string | null;
  channel: string | null;
  type: FaultType;
  code: string | null;
  /** `mend`: what QUESTIONS (questions.ts) says of the code; else all of them are as they should be. */
  answer: 'mend' | 'as-it-should-be';
}

export interface Answered {
  changed: number;
  /** Faults that the answer does not reach. */
  left: number;
  /** What takes it back. */
  mends: string[];
  dismissals: string[];
}

/** Faults that one answer reaches. */
const MOST = 10_000;
/** Rows that are written together: others get their turn in between. */
export const PART = 500;

/** What one part wrote: how many fields changed, and the rows that take it back. */
export interface AnsweredPart {
  changed: number;
  made: string[];
}
/**
 * Writes one part, in a transaction where the store has them. The work may be called again.
 * @param whole of the last part: the whole answer once it is written, so that it can be kept in the same transaction
 */
export type InPart = (
  work: (store: GuideStore) => Promise<AnsweredPart>,
  whole: ((part: AnsweredPart) => Answered) | null,
) => Promise<AnsweredPart>;

/**
 * What is open is read at once and written in parts. Where a later part fails, what the earlier ones wrote holds and the
 * rest is left; only where the first one fails that is said.
 */
export async function answerFaults(
  store: GuideStore,
  wish: AnswerWish,
  ports: { clock: Clock; ids: Ids },
  inPart: InPart = (work) => work(store),
): Promise<Answered> {
  const found: OpenFault[] = [];
  let left = 0;
  for await (const faults of openFaults(store, { guide: wish.guide, channel: wish.channel, days: null }))
    for (const fault of faults)
      if (fault.type === wish.type && (wish.code === null || fault.code === wish.code))
        if (found.length < MOST) found.push(fault);
        else left++;
  if (wish.answer === 'mend') {
    const mends = await mendsOf(store, found);
    const answered = (done: Written): Answered => ({
      ...{ changed: done.changed, left: left + done.left, mends: done.made, dismissals: [] },
    });
    return written(mends, inPart, (of, part) => fillPart(of, part, ports), answered);
  }
  const put = async (of: GuideStore, part: readonly Dismissal[]): Promise<AnsweredPart> => {
    await of.putDismissals(part);
    return { changed: part.length, made: part.map(({ id }) => id) };
  };
  return written(dismissalsOf(found, ports), inPart, put, (done) => ({
    ...{ changed: done.changed, left: left + done.left, mends: [], dismissals: done.made },
  }));
}

/** `left`: rows behind the part that failed, itself included. */
type Written = AnsweredPart & { left: number };

/** Part by part. */
async function written<Row>(
  rows: readonly Row[],
  inPart: InPart,
  write: (store: GuideStore, part: readonly Row[]) => Promise<AnsweredPart>,
  answered: (done: Written) => Answered,
): Promise<Answered> {
  let done: AnsweredPart = { changed: 0, made: [] };
  for (let at = 0; at < rows.length; at += PART) {
    const part = rows.slice(at, at + PART);
    const before = done;
    const withPart = ({ changed, made }: AnsweredPart): AnsweredPart => ({
      ...{ changed: before.changed + changed, made: [...before.made, ...made] },
    });
    const isLast = at + PART >= rows.length;
    try {
      const whole = isLast ? (last: AnsweredPart) => answered({ ...withPart(last), left: 0 }) : null;
      done = withPart(await inPart((store) => write(store, part), whole));
    } catch (error) {
      if (at === 0) throw error;
      return answered({ ...done, left: rows.length - at });
    }
  }
  return answered({ ...done, left: 0 });
}

async function fillPart(
  store: GuideStore,
  part: readonly PlacedMend[],
  { clock, ids }: { clock: Clock; ids: Ids },
): Promise<AnsweredPart> {
  const made: string[] = [];
  const noted: Ids = { next: () => made[made.push(ids.next()) - 1] ?? '' };
  const { changed } = await fillMends(store, part, { tool: null, run: null }, { clock, ids: noted });
  return { changed, made };
}

function dismissalsOf(faults: readonly OpenFault[], { clock, ids }: { clock: Clock; ids: Ids }): Dismissal[] {
  const at = clock.now();
  return faults.map(({ guide, type, code, where, channel, start }): Dismissal => ({
    ...{ schema_version: 1, id: ids.next(), guide, at, of: { kind: 'fault', type, code, where, channel, start } },
  }));
}
