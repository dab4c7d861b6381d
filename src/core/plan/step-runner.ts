/**
 * Does the steps of a journal, or takes them back, each written down before and after. After a call that
 * resolved, the journal says what was done; after one that threw, the disk was asked about the step in hand.
 */
import { AccessionError, failed } from '../errors.ts';
import type { Cancel } from '../ports.ts';
import {
  isWork,
  noteStamp,
  placesOf,
  replayJournal,
  stationsOf,
  turned,
  type Replayed,
  type Stamp,
} from './replay-journal.ts';
import type { Journal, JournalEnd, JournalRecord, MoveStep, RenameStep, JournalStore } from './rename-journal.ts';
import { readReplaced, writeReplaced } from './replace-content.ts';
import { sameTime, type FileTree, type TreeEntry } from './file-tree.ts';
import type { RenamePorts, RenameProgress, Standing } from './rename-run.types.ts';
import { renameProblem, type RenameProblem } from './rename-problem.ts';

type Way = 'forward' | 'back';
type Done = Omit<Extract<JournalRecord, { kind: 'done' }>, 'kind' | 'step'>;

export class StepRunner {
  readonly journal: Journal;
  readonly state: Replayed;
  readonly #ports: RenamePorts;
  /** Moves, and files that are written into. */
  readonly #total: number;
  #applied: number;
  /** Goes to the journal with what is written next: one write a step. After a crash the disk is asked. */
  #unwritten: JournalRecord[] = [];

  constructor(ports: RenamePorts, journal: Journal) {
    this.journal = journal;
    this.state = replayJournal(journal);
    this.#ports = ports;
    const { steps } = journal.head;
    this.#total = steps.filter(isWork).length;
    this.#applied = steps.filter((step, i) => isWork(step) && this.state.applied[i] === true).length;
  }

  /**
   * Does every step that is not done, in order.
   * @param exact a file that changed since it was checked is a failure
   * @throws AccessionError of the step that failed, or `cancelled`
   */
  async forward({ exact, cancel }: { exact: boolean; cancel?: Cancel | undefined }): Promise<void> {
    const { steps } = this.journal.head;
    for (const [i, step] of steps.entries()) {
      if (this.state.applied[i] === true) continue;
      if (cancel?.aborted === true && isWork(step))
        throw failed('cancelled', 'The rename was cancelled.', { remedy: 'Confirm it again.' });
      await this.#take(i, step, 'forward', exact);
    }
    await this.#write([]);
  }

  /** Takes back every step that is done, last first. Throws as `forward` does. */
  async back(): Promise<void> {
    const { steps } = this.journal.head;
    for (const [i, step] of [...steps.entries()].reverse())
      if (this.state.applied[i] === true) await this.#take(i, step, 'back', false);
    await this.#write([]);
  }

  async turn(to: Way, why: string): Promise<void> {
    await this.#write([{ kind: 'turn', to, at: this.#ports.clock.now(), by: this.#ports.by ?? '', why }]);
    this.state.direction = to;
    this.state.ended = null;
  }

  async end(result: JournalEnd, note = ''): Promise<void> {
    await this.#write([{ kind: 'end', result, at: this.#ports.clock.now(), note }]);
    this.state.ended = result;
    this.state.wasDone = result === 'done';
  }

  /**
   * After a crash: asks the disk whether the step in hand was done, and writes it down if so. Throws `not_found`
   * where its file is at neither place, and leaves it open.
   */
  async settle(): Promise<void> {
    const i = this.state.unclear;
    const step = i === null ? undefined : this.journal.head.steps[i];
    if (i === null || step === undefined) return;
    const done = await this.#found(step, this.state.direction);
    if (done !== null) this.#note(i, step, this.state.direction, done);
    this.state.unclear = null;
    await this.#write([]);
  }

  /** Every file of the plan, and where the disk has it. */
  async standing(): Promise<Standing[]> {
    const { steps } = this.journal.head;
    const standing: Standing[] = [];
    for (const [row, place] of placesOf(steps, this.state.applied)) {
      const stations = stationsOf(steps, row);
      const now = await this.#firstThere([place, ...stations.toReversed()], this.state.stamps.get(row));
      standing.push({ row, from: stations[0] ?? place, to: stations.at(-1) ?? place, now });
    }
    return standing.sort((a, b) => a.row - b.row);
  }

  async #firstThere(places: string[], stamp: Stamp | undefined): Promise<string | null> {
    for (const place of places) {
      // On a disk that says nothing any more, nothing is found.
      const entry = await this.#ports.tree.stat(place).catch(() => null);
      if (entry?.kind === 'file' && (stamp === undefined || entry.size === stamp.size)) return place;
    }
    return null;
  }

  async #take(i: number, step: RenameStep, way: Way, exact: boolean): Promise<void> {
    if (step.do === 'move') this.#report(way, turned(step, way));
    if (step.do === 'replace') this.#report(way, { from: step.path, to: step.path });
    // A folder that is there is not ours, also after a crash: no intent is written for it.
    if (step.do === 'make' && way === 'forward' && (await this.#isFolder(step.path)))
      return this.#note(i, step, way, { changed: false });
    await this.#write([{ kind: 'intent', step: i }]);
    this.state.unclear = i;
    let done: Done;
    try {
      done = await this.#act(i, step, way, exact);
    } catch (error) {
      await this.#lookAfter(i, step, way, error);
      throw error;
    }
    this.state.unclear = null;
    this.#note(i, step, way, done);
  }

  /** After a step that threw: it may have happened all the same. Where the disk does not say, it stays unclear. */
  async #lookAfter(i: number, step: RenameStep, way: Way, error: unknown): Promise<void> {
    // By their contract these say that nothing was touched.
    if (error instanceof AccessionError && ['conflict', 'not_found'].includes(error.failure.code)) {
      this.state.unclear = null;
      return;
    }
    try {
      const found = await this.#found(step, way);
      this.state.unclear = null;
      if (found !== null) this.#note(i, step, way, found);
    } catch {
      // The failure of the step is the one to report; recovery asks the disk again.
    }
  }

  #note(i: number, step: RenameStep, way: Way, done: Done): void {
    this.state.applied[i] = way === 'forward';
    if (isWork(step)) {
      this.#applied += way === 'forward' ? 1 : -1;
      noteStamp(this.state, step, done);
    } else if (way === 'forward') {
      if (done.changed === false) this.state.idle.add(i);
      else this.state.idle.delete(i);
    }
    this.#unwritten.push({ kind: 'done', step: i, ...done });
  }

  async #act(i: number, step: RenameStep, way: Way, exact: boolean): Promise<Done> {
    const { tree } = this.#ports;
    if (step.do === 'move') return this.#move(step, way, exact);
    if (step.do === 'replace') return writeReplaced(tree, step, way);
    if (way === 'back') {
      if (this.state.idle.has(i)) return {};
      // Somebody may have put something into a folder that is new: then it stays, and nothing of ours is in it.
      if (step.do === 'make') return { changed: await tree.removeDirectory(step.path) };
      await tree.makeDirectory(step.path);
      return { changed: true };
    }
    if (step.do === 'make') {
      await tree.makeDirectory(step.path);
      return { changed: true };
    }
    if (!step.must) return { changed: await tree.removeDirectory(step.path).catch(() => false) };
    const changed = await tree.removeDirectory(step.path);
    if (!changed && (await tree.stat(step.path)) !== null)
      throw refused('conflict', `The folder "${step.path}" is not empty, so its name cannot be written otherwise.`);
    return { changed };
  }

  async #move(step: MoveStep, way: Way, exact: boolean): Promise<Done> {
    const { tree } = this.#ports;
    const { from, to } = turned(step, way);
    const there = await tree.stat(from);
    if (there === null) throw refused('not_found', `"${from}" is not there any more.`);
    const stamp = this.state.stamps.get(step.row) ?? step;
    if (exact && (there.size !== stamp.size || !sameTime(there.modified, stamp.modified)))
      throw refused('conflict', `"${from}" changed while the rename ran.`);
    if ((await tree.stat(to)) !== null)
      throw refused('conflict', `Something is called "${to}" by now, and is not overwritten.`);
    await tree.move(from, to);
    const now = await tree.stat(to);
    return now === null ? {} : { size: now.size, modified: now.modified };
  }

  /** What a step that may have happened did; null when it did not happen. Throws `not_found` where its file is gone. */
  async #found(step: RenameStep, way: Way): Promise<Done | null> {
    const { tree } = this.#ports;
    if (step.do === 'replace') return readReplaced(tree, step, way);
    if (step.do === 'move') {
      const names = turned(step, way);
      const at = await settleMove(tree, names, this.state.stamps.get(step.row) ?? step);
      if (at === 'none') throw refused('not_found', `The file is neither at "${names.from}" nor at "${names.to}".`);
      if (at === 'from') return null;
      const now = await tree.stat(names.to);
      return now === null ? {} : { size: now.size, modified: now.modified };
    }
    return (await this.#isFolder(step.path)) === ((step.do === 'make') === (way === 'forward'))
      ? { changed: true }
      : null;
  }

  async #isFolder(path: string): Promise<boolean> {
    return (await this.#ports.tree.stat(path))?.kind === 'directory';
  }

  async #write(records: readonly JournalRecord[]): Promise<void> {
    const all = [...this.#unwritten, ...records];
    if (all.length === 0) return;
    await this.#ports.journal.append(this.journal.head.id, all);
    this.#unwritten = [];
  }

  #report(way: Way, names: { from: string; to: string }): void {
    const done = way === 'forward' ? this.#applied : this.#total - this.#applied;
    const phase: RenameProgress['phase'] = way === 'forward' ? 'moving' : 'taking-back';
    this.#ports.progress?.({ phase, done, total: this.#total, ...names });
  }
}

/**
 * After a move that may or may not have happened: at which of its two names the file is. What is only half done is made
 * whole first. `none`: at neither; somebody else took it.
 */
async function settleMove(
  tree: FileTree,
  { from, to }: { from: string; to: string },
  stamp: Stamp,
): Promise<'from' | 'to' | 'none'> {
  await tree.settle?.(from, to);
  const [before, after] = [await tree.stat(from), await tree.stat(to)];
  // A move may change a file's time where it has to copy; its size it never changes.
  const could = (entry: TreeEntry | null): boolean => entry?.kind === 'file' && entry.size === stamp.size;
  if (before?.kind === 'file' && after?.kind === 'file') {
    // Somebody put a file at one of the names in the meantime. Ours is the one that did not change.
    if (could(before) && sameTime(before.modified, stamp.modified)) return 'from';
    if (could(after) && sameTime(after.modified, stamp.modified)) return 'to';
    return could(after) && !could(before) ? 'to' : 'from';
  }
  if (before?.kind === 'file') return 'from';
  return could(after) ? 'to' : 'none';
}

function refused(code: 'conflict' | 'not_found', message: string): AccessionError {
  const remedy = 'Look at the folder, then make a new plan.';
  return failed(code, message, { remedy });
}

const FOLDER_BUSY = 'Another rename is at work in this folder.';

/** Runs `work` as the only one that renames below `root`; refuses where somebody else does. */
export async function holdFolder<T>(
  journal: JournalStore,
  root: string,
  work: () => Promise<T>,
): Promise<T | { result: 'refused'; problems: RenameProblem[] }> {
  const release = await journal.hold(root);
  if (release === null) return { result: 'refused', problems: [renameProblem('folder-busy', null, '', FOLDER_BUSY)] };
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Journals that a crash left open, oldest first. */
export async function openJournals(journal: JournalStore, root: string): Promise<Journal[]> {
  const all = await journal.list({ root });
  return all.filter((one) => replayJournal(one).ended === null);
}

/** @throws AccessionError `conflict` */
export function folderBusy(): AccessionError {
  return failed('conflict', FOLDER_BUSY, { remedy: 'Wait until it has ended, then try again.' });
}

/** A rename that a crash left open in this folder; null where there is none. */
export async function unfinished(journal: JournalStore, root: string): Promise<RenameProblem | null> {
  const [open] = await openJournals(journal, root);
  if (open === undefined) return null;
  const when = new Date(open.head.started_at).toISOString();
  const message = `A rename of this folder that began at ${when} was interrupted (plan ${open.head.plan.id}).`;
  return renameProblem('unfinished-rename', null, '', message);
}
