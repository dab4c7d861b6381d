/**
 * What was dropped and is not taken in yet, by name: noted by the page at the moment of the drop, beside the work, so that
 * a browser that is killed before the first row of it is written does not forget it without a word.
 *
 *   drop -> noted -> (taken in) -> forgotten
 *             \-- the browser ends: at the next start each name is a row, or is said
 */
import type { AccessionDb } from './db.ts';

/** Rows of `meta`, one a drop. */
export const DROP_NOTE = 'drop:';
/** Names that are kept of a drop; the rest is counted. */
const MOST_NAMES = 200;

/** Held while a page takes a drop in: only what nobody holds is lost. */
export type DropLocks = Pick<LockManager, 'request' | 'query'>;

export interface DropNote {
  /** It is written, or cannot be. */
  written: Promise<unknown>;
  forget(): Promise<void>;
}

/** Notes a drop of these paths. A note that cannot be written stops nobody. */
export function noteDrop(
  db: AccessionDb,
  drop: { id: string; at: number; paths: readonly string[] },
  locks: DropLocks | undefined,
): DropNote {
  const key = DROP_NOTE + drop.id;
  let done = (): void => undefined;
  void locks?.request(key, () => new Promise<void>((resolve) => (done = resolve))).catch(() => undefined);
  const value = { at: drop.at, names: drop.paths.slice(0, MOST_NAMES), files: drop.paths.length };
  const written = db.meta.put({ key, value }).catch(() => undefined);
  return {
    written,
    async forget() {
      await written;
      await db.meta.delete(key).catch(() => undefined);
      done();
    },
  };
}
