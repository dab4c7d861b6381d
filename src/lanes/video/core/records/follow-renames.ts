/** Which files a rename moved, as its journal says, and whether their records have followed. */
import { stationsOf } from '#core/plan/replay-journal.ts';
import type { JournalEnd, JournalHead } from '#core/plan/rename-journal.ts';
import { extensionOf } from '#core/plan/plan-path.ts';
import type { Move } from './change-records.ts';
import type { KeptVideo } from './video-record.ts';

/** A rename that has ended, whichever way. */
export interface EndedRename {
  head: Pick<JournalHead, 'id' | 'steps' | 'started_at'>;
  ended: JournalEnd;
}

export interface Following {
  journal_id: string;
  /** True: the records are to be as the files are after it; false: as before. */
  done: boolean;
  moves: Move[];
}

/**
 * What records still have to follow, in the order in which it happened: what was undone goes back newest first, then
 * what was done since, oldest first.
 *
 * @param followed ids of the journals whose files' records have the new names
 * @param absolute of a path below the folder
 */
export function toFollow(
  renames: readonly EndedRename[],
  followed: ReadonlySet<string>,
  absolute: (below: string) => string,
): Following[] {
  const inOrder = renames.toSorted((a, b) => a.head.started_at - b.head.started_at);
  const movesOf = ({ head: { steps } }: EndedRename): Move[] =>
    [...new Set(steps.flatMap((step) => (step.do === 'move' ? [step.row] : [])))].flatMap((row) => {
      const stations = stationsOf(steps, row);
      const [from, to] = [stations[0], stations.at(-1)];
      return from === undefined || to === undefined ? [] : [{ from: absolute(from), to: absolute(to) }];
    });
  const undone = inOrder.filter(({ head, ended }) => ended !== 'done' && followed.has(head.id)).reverse();
  const done = inOrder.filter(({ head, ended }) => ended === 'done' && !followed.has(head.id));
  return [
    ...undone.map((one) => ({
      journal_id: one.head.id,
      done: false,
      moves: movesOf(one).map(({ from, to }) => ({ from: to, to: from })),
    })),
    ...done.map((one) => ({ journal_id: one.head.id, done: true, moves: movesOf(one) })),
  ];
}

/** A file as it is listed now, by absolute path. */
export type ListedFile = Pick<KeptVideo, 'path' | 'size' | 'modified'>;

/**
 * Files that got another name by a program of which nothing is known here (a script, the command line): the recorded file
 * is gone, and one file alone has its size, time and ending and no record, as one record alone has.
 */
export function renamedElsewhere(rows: readonly ListedFile[], files: readonly ListedFile[]): Move[] {
  const there = new Set(files.map(({ path }) => path));
  const recorded = new Set(rows.map(({ path }) => path));
  const key = ({ path, size, modified }: ListedFile): string =>
    `${size} ${modified} ${extensionOf(path).toLowerCase()}`;
  const gone = Map.groupBy(
    rows.filter(({ path, modified }) => !there.has(path) && modified > 0),
    key,
  );
  const fresh = Map.groupBy(
    files.filter(({ path }) => !recorded.has(path)),
    key,
  );
  return [...gone].flatMap(([same, [row, ...others]]) => {
    const [file, ...more] = fresh.get(same) ?? [];
    const sure = row !== undefined && file !== undefined && others.length + more.length === 0;
    return sure ? [{ from: row.path, to: file.path }] : [];
  });
}
