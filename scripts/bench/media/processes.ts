/** CPU and memory of processes, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** What `sysconf(_SC_CLK_TCK)` is on every Linux that Node runs on. Per second. */
const TICKS = 100;

interface Stat {
  pid: number;
  parent: number;
  /** Ticks of its own, and of its children that have ended and were waited for. */
  own: number;
  ended: number;
}

/** CPU seconds, user and system, that the process and all that descend from it have used. */
export function treeCpu(root: number): number {
  return tree(root).reduce((sum, stat) => sum + stat.own + stat.ended, 0) / TICKS;
}

/** CPU seconds of the children of this process that have ended. */
export function endedChildrenCpu(): number {
  return (readStat(process.pid)?.ended ?? 0) / TICKS;
}

/** Bytes in memory that belong to the process and its descendants alone. */
export function treeMemory(root: number): number {
  return tree(root).reduce((sum, { pid }) => sum + privateBytes(pid), 0);
}

function tree(root: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== null);
  const found: Stat[] = all.filter((stat) => stat.pid === root);
  for (const stat of found) found.push(...all.filter((each) => each.parent === stat.pid));
  return found;
}

/** Null when the process has ended. */
function readStat(pid: number): Stat | null {
  try {
    // The name in brackets may itself hold brackets and blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const at = (index: number): number => fields[index - 3] ?? 0;
    return { pid, parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
  } catch {
    return null;
  }
}

function privateBytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
    return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
  } catch {
    return 0;
  }
}
