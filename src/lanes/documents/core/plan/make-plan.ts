/** A plan of what a person decided about each document: written, skipped, removed. Pure. */
import { foldText } from '#core/text/fold.ts';
import type { TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import type { PlanState } from '#core/plan/plan.ts';
import { lastPart, pathKey } from '#core/plan/plan-path.ts';
import type { DocumentEvidence } from '../identify/evidence.ts';
import type { Told } from '../manifest/told.ts';
import { EMPTY_RECORD, type DocumentRecord } from '#core/documents/record.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { nameFor, TASK, trashPlace, type DocumentPlan } from './document-plan.ts';
import { entryOf } from './propose.ts';

export type DocumentAction = 'write' | 'skip' | 'remove';

/** A document that was decided about. */
export interface Decided {
  /** Below the folder. */
  path: string;
  id: string;
  action: DocumentAction;
  /** What is known of it; null: nothing. */
  record: DocumentRecord | null;
  notes: string;
  /** Where the record is from. */
  source: string | null;
  evidence: readonly DocumentEvidence[];
  /** It may be written into; else it keeps name and content, and stands in the manifest. */
  writable: boolean;
}

export interface Planning {
  id: string;
  /** As plans say it. */
  root: string;
  entries: readonly TreeEntry[];
  rules: TreeRules;
  /** Files get names that say title and year. */
  rename: boolean;
  /** The folder below the root in which they go then; null: they stay in theirs. */
  moveTo?: string | null;
  /** What the manifest has. */
  known: readonly ManifestEntry[];
  /** ISO 8601. */
  now: string;
}

/** @returns the plan, what its files were when they were read, the manifest's entries of before, and what is told of each */
export function makePlan(
  decided: readonly Decided[],
  { id, root, entries, rules, rename, moveTo = null, known, now }: Planning,
): { plan: DocumentPlan; sources: PlanState['sources']; before: ManifestEntry[]; told: Told } {
  const key = (path: string): string => pathKey(path, rules);
  const taken = new Set(entries.map(({ path }) => key(path)));
  const isTaken = (path: string): boolean => taken.has(key(path));
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const plan: DocumentPlan = { id, task: TASK, status: 'pending', mediaFolderPath: root, files: [] };
  const sources: NonNullable<PlanState['sources']> = {};
  const told: Told = {};
  for (const { path, id: document, action, record, notes, source, evidence, writable } of decided) {
    const entry = byPath.get(path);
    const before = known.find((one) => one.id === document);
    if (entry === undefined || (action === 'write' && record === null)) continue;
    // What stands in the manifest already is left as it is.
    if (action === 'skip' && before !== undefined) continue;
    const to =
      action === 'remove'
        ? trashPlace(path, isTaken)
        : action === 'write' && record !== null && rename && writable
          ? nameFor(record, moveTo === null ? path : `${moveTo}/${lastPart(path)}`, { fold: foldText, taken: isTaken })
          : path;
    taken.add(key(to));
    const own = {
      ...entryOf(record ?? EMPTY_RECORD, { id: document, filename: to, retrievedAt: now, notes }),
      processed: action === 'write',
    };
    const merged = before === undefined ? own : { ...before, ...own, notes: before.notes || notes, tags: before.tags };
    plan.files.push({
      path: `${root}/${path}`,
      id: document,
      action: action === 'remove' ? 'remove' : 'write',
      to: `${root}/${to}`,
      record: merged,
    });
    if (action === 'write') told[document] = { source, evidence: evidence.map((one) => ({ ...one, box: boxOf(one) })) };
    sources[`${root}/${path}`] = { size: entry.size, modified: entry.modified };
  }
  const ids = new Set(plan.files.map((file) => file.id));
  return { plan, sources, before: known.filter((entry) => ids.has(entry.id)), told };
}

const boxOf = ({ box }: DocumentEvidence): Told[string]['evidence'][number]['box'] => (box === null ? null : [...box]);
