import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as v from 'valibot';

/** Names a running process so that another can say whether it still runs, however many reused its number since. */
export const ProcessMarkSchema = v.object({
  host: v.string(),
  pid: v.number(),
  /** When it began, in the system's own words; `''` where the system does not say (no /proc). */
  began: v.string(),
});
export type ProcessMark = v.InferOutput<typeof ProcessMarkSchema>;

export async function ownMark(): Promise<ProcessMark> {
  return { host: hostname(), pid: process.pid, began: await beginOf(process.pid) };
}

/** `unknown` for a process of another machine or container, and where the system does not say. */
export async function isRunning(mark: ProcessMark): Promise<boolean | 'unknown'> {
  if (mark.host !== hostname() || mark.began === '') return 'unknown';
  return (await beginOf(mark.pid)) === mark.began;
}

async function beginOf(pid: number): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, with anything in it; the 22nd is the start in ticks.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot} ${ticks ?? ''}`;
  } catch {
    return '';
  }
}
