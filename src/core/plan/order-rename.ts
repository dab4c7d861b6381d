/**
 * The steps of a rename, in an order in which no file is ever in another's way: what has to go goes first (chains
 * run from their tail), a circle is opened by one temporary name, and a file or folder that gets its own name in
 * another spelling goes away and comes back.
 */
import type { DiskIndex } from './disk-index.ts';
import { sameTime, type TreeEntry, type FileTree } from './file-tree.ts';
import { lastPart, parentOf, parentsOf, pathKey } from './plan-path.ts';
import type { RenameStep, JournalHead } from './rename-journal.ts';
import { renameProblem, type RenameProblem } from './rename-problem.ts';
import { turned, type Replayed } from './replay-journal.ts';

export interface PlannedMove {
  row: number;
  source: TreeEntry;
  /** Below the folder. */
  to: string;
}

/**
 * @param moves of a plan without problems
 * @param tag makes temporary names this plan's own
 */
export function orderRename(moves: readonly PlannedMove[], disk: DiskIndex, tag: string): RenameStep[] {
  const wanted = moves.filter(({ source, to }) => source.path !== to);
  return wanted.length === 0 ? [] : new Order(wanted, disk, tag).run();
}

interface Waiting extends PlannedMove {
  /** Where the file is by now. */
  at: string;
  key: string;
  state: 'waiting' | 'looking' | 'settled';
}

class Order {
  readonly #disk: DiskIndex;
  readonly #tag: string;
  readonly #steps: RenameStep[] = [];
  readonly #moves: Waiting[];
  /** By key: whose file is there and has yet to go. */
  readonly #present = new Map<string, Waiting>();
  /** By key: folders, as they are spelled by then. */
  readonly #folders = new Map<string, string>();
  /** Keys of folders that get another spelling. */
  readonly #respelled = new Set<string>();
  /** By key of such a folder: files that leave it for good. */
  readonly #leaving = new Map<string, Waiting[]>();
  readonly #taken: Set<string>;

  constructor(moves: readonly PlannedMove[], disk: DiskIndex, tag: string) {
    this.#disk = disk;
    this.#tag = tag.replace(/[^a-z0-9]/gi, '').slice(0, 8);
    this.#moves = moves.map((move) => ({
      ...move,
      at: move.source.path,
      key: disk.key(move.source.path),
      state: 'waiting',
    }));
    for (const move of this.#moves) this.#present.set(move.key, move);
    for (const entry of disk.entries())
      if (entry.kind === 'directory') this.#folders.set(disk.key(entry.path), entry.path);
    this.#taken = new Set(moves.flatMap(({ to }) => [to, ...parentsOf(to)]).map((path) => disk.key(path)));
    for (const { to } of moves) for (const path of parentsOf(to)) this.#noteSpelling(path);
  }

  #noteSpelling(path: string): void {
    const key = this.#disk.key(path);
    const there = this.#folders.get(key);
    if (there !== undefined && lastPart(there) !== lastPart(path)) this.#respelled.add(key);
  }

  run(): RenameStep[] {
    for (const move of this.#moves) this.#settle(move);
    this.#removeEmptied();
    return this.#steps;
  }

  /** Depth first, without recursion: a chain may be as long as the plan. */
  #settle(first: Waiting): void {
    const path: { move: Waiting; blockers: Waiting[] }[] = [];
    const enter = (move: Waiting): void => {
      move.state = 'looking';
      path.push({ move, blockers: this.#blockers(move) });
    };
    if (first.state === 'waiting') enter(first);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.blockers.pop();
      if (next === undefined) {
        this.#move(top.move, top.move.to);
        top.move.state = 'settled';
        path.pop();
      } else if (next.state === 'waiting') enter(next);
      else if (next.state === 'looking' && next.at === next.source.path) this.#move(next, this.#temporary(next));
    }
  }

  /** Whose files have to go before this one can have its name; itself, where it only changes its spelling. */
  #blockers(move: Waiting): Waiting[] {
    const names = [...parentsOf(move.to), move.to];
    const there = names.map((path) => this.#present.get(this.#disk.key(path))).filter((found) => found !== undefined);
    const folder = names.find((path) => this.#respelled.has(this.#disk.key(path)));
    if (folder === undefined) return there;
    return [...there, ...this.#vacate(this.#disk.key(folder))];
  }

  /**
   * Files that come back into a folder that is made again go to temporary names, all at once; the others of it are
   * returned, to go where they belong.
   */
  #vacate(folder: string): Waiting[] {
    const isInside = (key: string): boolean => key.startsWith(`${folder}/`);
    let leaving = this.#leaving.get(folder);
    if (leaving === undefined) {
      leaving = [];
      for (const move of this.#moves) {
        if (move.state === 'settled' || move.at !== move.source.path || !isInside(move.key)) continue;
        if (isInside(this.#disk.key(move.to))) this.#move(move, this.#temporary(move));
        else leaving.push(move);
      }
      this.#leaving.set(folder, leaving);
    }
    return leaving.filter(({ state }) => state !== 'settled');
  }

  #move(move: Waiting, to: string): void {
    for (const parent of parentsOf(to)) this.#provide(parent);
    const { size, modified } = move.source;
    this.#steps.push({ do: 'move', row: move.row, from: move.at, to, size, modified });
    this.#present.delete(move.key);
    move.at = to;
    move.key = this.#disk.key(to);
  }

  #provide(folder: string): void {
    const key = this.#disk.key(folder);
    const there = this.#folders.get(key);
    if (there === folder) return;
    if (there !== undefined) {
      const below = [...this.#folders].filter(([other]) => other === key || other.startsWith(`${key}/`));
      for (const [other, path] of below.sort(([a], [b]) => b.length - a.length)) {
        this.#steps.push({ do: 'remove', path, must: true });
        this.#folders.delete(other);
        this.#respelled.delete(other);
      }
    }
    this.#steps.push({ do: 'make', path: folder });
    this.#folders.set(key, folder);
  }

  /** A free name beside the file, outside of every folder that has to be emptied. It keeps the ending. */
  #temporary({ row, at }: Waiting): string {
    let folder = parentOf(at);
    while (parentsOf(`${folder}/x`).some((path) => this.#respelled.has(this.#disk.key(path))))
      folder = parentOf(folder);
    const ending = /\.[a-z0-9]{1,8}$/i.exec(lastPart(at))?.[0] ?? '';
    for (let n = 0; ; n += 1) {
      const name = `.accession-${this.#tag}-${row}${n === 0 ? '' : `-${n}`}${ending}`;
      const path = folder === '' ? name : `${folder}/${name}`;
      const key = this.#disk.key(path);
      if (this.#disk.find(path) !== undefined || this.#taken.has(key)) continue;
      this.#taken.add(key);
      return path;
    }
  }

  /** Folders that held a file of the plan and hold nothing now, innermost first. */
  #removeEmptied(): void {
    const key = (path: string): string => this.#disk.key(path);
    const left = new Set(this.#moves.flatMap(({ source }) => parentsOf(source.path)).map(key));
    const gone = new Set(this.#moves.map(({ source }) => key(source.path)));
    const files = [...this.#disk.entries()].filter((entry) => entry.kind !== 'directory' && !gone.has(key(entry.path)));
    const children = new Map<string, number>();
    const count = (path: string, by: number): void => {
      const parent = key(parentOf(path));
      children.set(parent, (children.get(parent) ?? 0) + by);
    };
    for (const { path } of files) count(path, 1);
    for (const { to } of this.#moves) count(to, 1);
    for (const path of this.#folders.values()) count(path, 1);
    const innermostFirst = [...left].sort((a, b) => parentsOf(b).length - parentsOf(a).length);
    for (const folder of innermostFirst) {
      const path = this.#folders.get(folder);
      if (path === undefined || (children.get(folder) ?? 0) > 0) continue;
      this.#steps.push({ do: 'remove', path, must: false });
      count(path, -1);
    }
  }
}

/**
 * Whether the rest of a journal can be done, or what was done be taken back: every file where it should be, every name
 * free by then. Touches nothing.
 * @param exact a file that changed since it was moved is a problem too
 */
export async function checkWay(
  tree: FileTree,
  head: JournalHead,
  state: Replayed,
  way: 'forward' | 'back',
  exact: boolean,
): Promise<RenameProblem[]> {
  const seen = new Map<string, TreeEntry | null>();
  const look = async (path: string): Promise<TreeEntry | null> => {
    const key = pathKey(path, tree.rules);
    const known = seen.get(key);
    const found = known === undefined ? await tree.stat(path) : known;
    seen.set(key, found);
    return found;
  };
  const problems: RenameProblem[] = [];
  for (const { step, i } of stepsOn(head, state, way)) {
    if (step.do === 'replace') {
      const whole = `${head.plan.mediaFolderPath}/${step.path}`;
      const say = (code: RenameProblem['code'], rest: string): void =>
        void problems.push(renameProblem(code, step.row, whole, `"${whole}" ${rest}.`, REMEDIES[code]));
      const file = await look(step.path);
      const stamp = state.stamps.get(step.row);
      const to = way === 'forward' ? step.after : step.before;
      if (file?.kind !== 'file') say('source-missing', 'is not there any more');
      else if (exact && stamp && (file.size !== stamp.size || !sameTime(file.modified, stamp.modified)))
        say('source-changed', 'changed since it was written to');
      seen.set(pathKey(step.path, tree.rules), { path: step.path, kind: 'file', size: to.size, modified: 0 });
      continue;
    }
    if (step.do !== 'move') {
      // A folder that turns out not to be empty stays after all, and a file that is to have its name fails then.
      const gone = (step.do === 'make') === (way === 'back') && !state.idle.has(i);
      const there = await look(step.path);
      const key = pathKey(step.path, tree.rules);
      if (gone && there?.kind === 'directory') seen.set(key, null);
      if (!gone && there === null) seen.set(key, { path: step.path, kind: 'directory', size: 0, modified: 0 });
      continue;
    }
    const { from, to } = turned(step, way);
    const say = (code: RenameProblem['code'], path: string, rest: string): void => {
      const whole = `${head.plan.mediaFolderPath}/${path}`;
      problems.push(renameProblem(code, step.row, whole, `"${whole}" ${rest}.`, REMEDIES[code]));
    };
    const file = await look(from);
    const stamp = state.stamps.get(step.row) ?? step;
    if (file?.kind !== 'file') say('source-missing', from, 'is not there any more');
    else if (exact && (file.size !== stamp.size || !sameTime(file.modified, stamp.modified)))
      say('source-changed', from, 'changed since it was renamed');
    if ((await look(to)) !== null) say('destination-exists', to, 'has been given to something else by now');
    for (const parent of parentsOf(to)) {
      const there = await look(parent);
      if (there?.kind === 'file') say('parent-is-file', parent, 'is a file by now, not a folder');
      if (there?.kind === 'other') say('parent-is-link', parent, 'is a link by now, not a folder');
    }
    seen.set(pathKey(from, tree.rules), null);
    seen.set(pathKey(to, tree.rules), { path: to, kind: 'file', size: stamp.size, modified: stamp.modified });
  }
  return problems.sort((a, b) => (a.row ?? -1) - (b.row ?? -1));
}

const REMEDIES: Partial<Record<RenameProblem['code'], string>> = {
  'source-missing': 'Put the file back to where it was, then try again.',
  'source-changed': 'Rename this file by hand, or put back what it was, then try again.',
  'destination-exists': 'Move what has that name away, then try again.',
  'parent-is-file': 'Move that file away, then try again.',
  'parent-is-link': 'Move the link away, then try again.',
};

/** What is still to be done, in its order. */
function stepsOn({ steps }: JournalHead, { applied }: Replayed, way: 'forward' | 'back') {
  const rest = steps.map((step, i) => ({ step, i })).filter(({ i }) => applied[i] === (way === 'back'));
  return way === 'forward' ? rest : rest.reverse();
}
