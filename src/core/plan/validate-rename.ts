/** Whether a rename plan can be carried out on what is in the folder: every problem at once, nothing touched. */
import { DiskIndex } from './disk-index.ts';
import { sameTime, type TreeEntry, type TreeRules } from './file-tree.ts';
import { extensionOf, lengthOf, limitsOf, nameFault, lastPart, locate, parentsOf, stemOf } from './plan-path.ts';
import { orderRename, type PlannedMove } from './order-rename.ts';
import { safeName, safeValue } from '../naming/safe-name.ts';
import type { PlanState, RenameFilesPlan } from './plan.ts';
import type { RenameStep } from './rename-journal.ts';
import { renameProblem, type RenameProblem, type RenameProblemCode } from './rename-problem.ts';

export type RenameDocument = Pick<RenameFilesPlan, 'id' | 'mediaFolderPath' | 'files'>;

/** A row of the plan, as far as it could be read. */
interface Row {
  row: number;
  /** As the plan has them. */
  said: { from: string; to: string };
  /** Below the folder; null where a problem says why. */
  from: string | null;
  to: string | null;
  source: TreeEntry | undefined;
}

/**
 * @param entries everything that is in the folder (`readDisk`)
 * @param state its `sources` are compared with the disk
 * @returns every problem, and the steps in their order; no steps where there is a problem
 */
export function validateRename(
  plan: RenameDocument,
  entries: Iterable<TreeEntry>,
  rules: TreeRules,
  state?: Pick<PlanState, 'sources'>,
): { problems: RenameProblem[]; order: RenameStep[] } {
  const disk = new DiskIndex(entries, rules);
  const check = new Check(plan, disk, state);
  const problems = check.run();
  return { problems, order: problems.length > 0 ? [] : orderRename(check.moves(), disk, plan.id) };
}

class Check {
  readonly #plan: RenameDocument;
  readonly #disk: DiskIndex;
  readonly #state: Pick<PlanState, 'sources'> | undefined;
  readonly #problems: RenameProblem[] = [];
  readonly #rows: Row[];
  /** By key of the source: the first row that has it. */
  readonly #sources = new Map<string, Row>();
  /** By key of the destination: the first row that has it. */
  readonly #destinations = new Map<string, Row>();
  /** By key of a folder of a destination: as the first row spells it. */
  readonly #spelled = new Map<string, string>();
  readonly #vacated = new Map<string, boolean>();

  constructor(plan: RenameDocument, disk: DiskIndex, state: Pick<PlanState, 'sources'> | undefined) {
    this.#plan = plan;
    this.#disk = disk;
    this.#state = state;
    this.#rows = plan.files.map((said, row) => ({ row, said, from: null, to: null, source: undefined }));
  }

  run(): RenameProblem[] {
    if (this.#rows.length === 0) {
      this.#problems.push(renameProblem('empty-plan', null, '', 'The plan has no files.'));
      return this.#problems;
    }
    for (const row of this.#rows) {
      this.#readSource(row);
      this.#readDestination(row);
    }
    for (const row of this.#rows) {
      if (row.to !== null) this.#checkDestination(row, row.to);
    }
    return this.#problems.sort((a, b) => (a.row ?? -1) - (b.row ?? -1));
  }

  /** Only where there is no problem. */
  moves(): PlannedMove[] {
    return this.#rows.flatMap(({ row, source, to }) => (source && to !== null ? [{ row, source, to }] : []));
  }

  #say(code: RenameProblemCode, row: Row, path: string, message: string): void {
    this.#problems.push(renameProblem(code, row.row, path, message));
  }

  #readSource(row: Row): void {
    const said = row.said.from;
    const place = locate(this.#plan.mediaFolderPath, said);
    if (!place.ok) return this.#say(place.code, row, said, `"${said}" ${place.why}.`);
    row.from = place.below;
    const source = this.#disk.find(place.below);
    if (source === undefined) return this.#say('source-missing', row, said, `"${said}" is not there.`);
    if (source.kind !== 'file') {
      const what = source.kind === 'directory' ? 'a folder' : 'a link or a device';
      return this.#say('source-not-file', row, said, `"${said}" is ${what}, not a file.`);
    }
    const key = this.#disk.key(source.path);
    const first = this.#sources.get(key);
    if (first !== undefined)
      return this.#say('duplicate-source', row, said, `"${said}" is renamed by row ${first.row + 1} already.`);
    this.#sources.set(key, row);
    row.source = source;
    const planned = this.#state?.sources[said];
    if (planned === undefined) return;
    const changed = [
      ...(planned.size === source.size ? [] : [`its size was ${planned.size} bytes and is ${source.size}`]),
      ...(sameTime(planned.modified, source.modified) ? [] : ['it was written to']),
    ];
    if (changed.length > 0)
      this.#say('source-changed', row, said, `"${said}" changed since the plan: ${changed.join(', ')}.`);
  }

  #readDestination(row: Row): void {
    const said = row.said.to;
    const place = locate(this.#plan.mediaFolderPath, said);
    if (!place.ok) return this.#say(place.code, row, said, `"${said}" ${place.why}.`);
    row.to = place.below;
    this.#checkNames(row, place.below);
    const key = this.#disk.key(place.below);
    const first = this.#destinations.get(key);
    if (first === undefined) this.#destinations.set(key, row);
    // The same file twice is a duplicate source, which is said there.
    else if (first.from === null || row.from === null || this.#disk.key(first.from) !== this.#disk.key(row.from))
      this.#say('duplicate-destination', row, said, `"${said}" is the new name of row ${first.row + 1} already.`);
  }

  #checkNames(row: Row, to: string): void {
    const limits = limitsOf(this.#disk.rules);
    const whole = this.#disk.rules.limits === undefined ? row.said.to : to;
    if (lengthOf(whole, limits.unit) > limits.path)
      this.#say('path-too-long', row, row.said.to, `The path is longer than ${limits.path} ${words(limits.unit)}.`);
    const parents = parentsOf(to);
    for (const path of [...parents, to]) {
      const name = lastPart(path);
      const isFile = path === to;
      // A name that is there already is not questioned: the file keeps it, the folder stays.
      const known = isFile ? row.from !== null && lastPart(row.from) === name : this.#disk.find(path)?.path === path;
      const fault = known ? null : nameFault(name, isFile ? 'file' : 'folder');
      if (fault !== null) {
        const safe = safeNameOf(name, isFile);
        const instead = safe === null ? '' : `; "${safe}" is a name that every system takes`;
        return this.#say('invalid-name', row, row.said.to, `The name "${name}" ${fault}${instead}.`);
      }
      if (lengthOf(name, limits.unit) <= limits.name) continue;
      const over = `The name "${name}" is longer than ${limits.name} ${words(limits.unit)}.`;
      return this.#say('name-too-long', row, row.said.to, over);
    }
    if (row.from !== null) this.#checkEnding(row, row.from, to);
  }

  /** PLAN-89: the ending says how a file is read; another one makes it no other file. */
  #checkEnding(row: Row, from: string, to: string): void {
    const [old, next] = [extensionOf(from), extensionOf(to)];
    if (old === '' || old.toLowerCase() === next.toLowerCase()) return;
    const kept = `${stemOf(lastPart(to))}${old}`;
    const message = `"${lastPart(from)}" would lose its ending "${old}": "${kept}" keeps it.`;
    this.#say('ending-changed', row, row.said.to, message);
  }

  #checkDestination(row: Row, to: string): void {
    const there = this.#disk.find(to);
    if (there !== undefined && !this.#movesAway(there)) {
      const what = there.kind === 'file' ? 'a file' : there.kind === 'directory' ? 'a folder' : 'a link or a device';
      if (!this.#isOwn(there, row))
        this.#say('destination-exists', row, row.said.to, `There is ${what} called "${there.path}" already.`);
    }
    for (const parent of parentsOf(to)) if (!this.#checkParent(row, parent)) return;
  }

  /** False when a problem was said. */
  #checkParent(row: Row, parent: string): boolean {
    const say = (code: RenameProblemCode, message: string): boolean => {
      this.#say(code, row, row.said.to, message);
      return false;
    };
    const key = this.#disk.key(parent);
    const claimed = this.#destinations.get(key);
    if (claimed !== undefined)
      return say('parent-is-file', `"${parent}" is to be a file by row ${claimed.row + 1}, so it can hold nothing.`);
    const there = this.#disk.find(parent);
    if (there?.kind === 'other') return say('parent-is-link', `"${there.path}" is a link or a device, not a folder.`);
    if (there?.kind === 'file' && !this.#movesAway(there))
      return say('parent-is-file', `"${there.path}" is a file, so it can hold nothing.`);
    const spelling = this.#spelled.get(key) ?? parent;
    this.#spelled.set(key, spelling);
    if (spelling !== parent)
      return say('parent-spelled-differently', `"${parent}" and "${spelling}" are one folder on this disk.`);
    if (there?.kind === 'directory' && there.path !== parent && !this.#isVacated(there))
      return say('parent-spelled-differently', `The folder is called "${there.path}" and keeps that name.`);
    return true;
  }

  /** It is a file that the plan gives another name. */
  #movesAway(entry: TreeEntry): boolean {
    const row = this.#sources.get(this.#disk.key(entry.path));
    return row?.source !== undefined && row.to !== null && row.to !== row.source.path;
  }

  /** The row's own file, or one that another row keeps: two rows with one new name, which is said already. */
  #isOwn(entry: TreeEntry, row: Row): boolean {
    const owner = this.#sources.get(this.#disk.key(entry.path));
    return owner !== undefined && (owner === row || owner.to === owner.source?.path);
  }

  /** All files below it move, and no other folder is in it: it can be made again in another spelling. */
  #isVacated(folder: TreeEntry): boolean {
    const known = this.#vacated.get(folder.path) ?? this.#willBeVacated(folder);
    this.#vacated.set(folder.path, known);
    return known;
  }

  #willBeVacated(folder: TreeEntry): boolean {
    const inside = `${folder.path}/`;
    const used = new Set([...this.#sources.values()].flatMap(({ source }) => parentsOf(source?.path ?? '')));
    for (const entry of this.#disk.entries()) {
      if (!entry.path.startsWith(inside)) continue;
      if (entry.kind === 'directory' ? !used.has(entry.path) : !this.#movesAway(entry)) return false;
    }
    return true;
  }
}

/** The name as every system takes it, or null where nothing of it is left. */
function safeNameOf(name: string, isFile: boolean): string | null {
  const ending = isFile ? extensionOf(name) : '';
  const stem = safeName(safeValue(isFile ? stemOf(name) : name).text).text;
  const safe = `${stem}${ending}`;
  return stem === '' || nameFault(safe, isFile ? 'file' : 'folder') !== null ? null : safe;
}

function words(unit: 'bytes' | 'units'): string {
  return unit === 'bytes' ? 'bytes' : 'characters';
}
