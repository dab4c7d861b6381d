/** VIDEO-56, VIDEO-57: the names of a whole folder by a template, as entries of a rename plan. */
import { nameFault, extensionOf, lastPart } from '../plan/plan-path.ts';
import { companionSuffix } from './companion-suffix.ts';
import { fillTemplate, type Filled, type FillOptions, type Values } from './fill-template.ts';
import type { Piece } from './parse-template.ts';
import { bytesOf } from './safe-name.ts';

export interface NameRow {
  /** Both below the folder, `/` separated. */
  from: string;
  to: string;
  /** One short sentence each: what made the name, and what had to be changed in it. */
  why: string[];
}

export interface NameProblem {
  path: string;
  /** `unknown`: a token has nothing to say; `taken`: another file has, or gets, the name; `bad-name`: nothing to be saved. */
  code: 'unknown' | 'taken' | 'bad-name';
  sentence: string;
}

export interface NamePlan {
  /** Only files whose name changes. A file is in one of the three lists, if it is named or follows one that is. */
  rows: NameRow[];
  unchanged: string[];
  problems: NameProblem[];
}

/** A file that gets a name by the template. */
export interface Leader<Token extends string> {
  path: string;
  values: Values<Token>;
  /** What its values are known by: one short sentence each. */
  why: readonly string[];
  /** Paths of files that follow it: they get its name with an ending of their own. */
  companions: readonly string[];
}

export interface NamingWorld {
  /** Every path of the folder: no file is given the name of one that stays. */
  paths: readonly string[];
  /** Of several files that want one name the one of the highest rank gets it. */
  rankOf(path: string): number;
  /** Why two files want one name: `it is the same episode`. */
  same: string;
}

/** Nothing is invented: what a token has nothing to say of has a problem. */
export function planNames<Token extends string>(
  leaders: readonly Leader<Token>[],
  pieces: readonly Piece<Token>[],
  options: FillOptions<Token>,
  world: NamingWorld,
): NamePlan {
  const plan: NamePlan = { rows: [], unchanged: [], problems: [] };
  const wanted: Wanted[] = [];
  for (const { path, values, why, companions } of leaders) {
    const suffixes = suffixesOf(path, companions);
    const extension = extensionOf(path);
    const room = Math.max(0, ...suffixes.map(({ suffix }) => bytesOf(suffix) - bytesOf(extension)));
    const filled = checked(fillTemplate(pieces, values, { ...options, room }));
    if (!filled.ok) {
      const { token, sentence } = filled;
      plan.problems.push({ path, code: token === null ? 'bad-name' : 'unknown', sentence });
      continue;
    }
    wanted.push({ from: path, to: filled.path, why: [...why, ...filled.why], leader: path });
    const stem = filled.path.slice(0, filled.path.length - extension.length);
    for (const { path: from, suffix } of suffixes)
      wanted.push({ from, to: `${stem}${suffix}`, why: [`It follows "${lastPart(path)}".`], leader: path });
  }
  for (const { from, to, why } of settle(wanted, world, plan.problems)) {
    if (from === to) plan.unchanged.push(from);
    else plan.rows.push({ from, to, why });
  }
  return plan;
}

interface Wanted extends NameRow {
  /** The file that it follows; its own path where it leads. */
  leader: string;
}

/** A name that some system refuses is none. */
function checked(filled: Filled): Filled {
  if (!filled.ok) return filled;
  const segments = filled.path.split('/');
  for (const [at, segment] of segments.entries()) {
    const fault = nameFault(segment, at === segments.length - 1 ? 'file' : 'folder');
    if (fault !== null) return { ok: false, token: null, sentence: `The name "${segment}" ${fault}.` };
  }
  return filled;
}

/** Of two companions with one name the second gets a number: two English subtitles stay two. */
function suffixesOf(leader: string, companions: readonly string[]): { path: string; suffix: string }[] {
  const taken = new Set<string>();
  return companions.map((path) => {
    const wish = companionSuffix(path, leader);
    const extension = extensionOf(path);
    let suffix = wish;
    for (let copy = 2; taken.has(suffix.toLowerCase()); copy++)
      suffix = `${wish.slice(0, wish.length - extension.length)}.${copy}${extension}`;
    taken.add(suffix.toLowerCase());
    return { path, suffix };
  });
}

/**
 * One file a name, compared as the least careful file system does. Among several the one of the highest rank keeps it; the
 * others, and what follows them, stay where they are, and so may be in the way of others yet: it is checked again until
 * nothing changes.
 */
function settle(
  wanted: readonly Wanted[],
  { paths, rankOf, same }: NamingWorld,
  problems: NameProblem[],
): readonly Wanted[] {
  let rows = wanted;
  for (;;) {
    const moved = new Set(rows.map(({ from }) => from));
    const staying = new Map(paths.filter((path) => !moved.has(path)).map((path) => [folded(path), path]));
    const best = new Map<string, Wanted>();
    for (const row of rows) {
      const other = best.get(folded(row.to));
      if (other === undefined || rankOf(row.from) > rankOf(other.from)) best.set(folded(row.to), row);
    }
    const out = new Map<string, string>();
    for (const row of rows) {
      const winner = best.get(folded(row.to));
      const stays = staying.get(folded(row.to));
      if (stays !== undefined) out.set(row.from, `"${stays}" has this name already.`);
      else if (winner !== row && winner !== undefined) out.set(row.from, `"${winner.from}" gets this name: ${same}.`);
    }
    if (out.size === 0) return rows;
    // A companion that cannot move stays alone; a leader takes all that follows it along.
    const isOut = ({ from, leader }: Wanted): boolean => out.has(from) || out.has(leader);
    for (const row of rows.filter(isOut)) {
      const sentence = out.get(row.from) ?? `It follows "${lastPart(row.leader)}", which stays.`;
      problems.push({ path: row.from, code: 'taken', sentence });
    }
    rows = rows.filter((row) => !isOut(row));
  }
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();
