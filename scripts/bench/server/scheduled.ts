/** What Linux's scheduler says of the thread that a program's event loop runs in. */
import { openSync, readSync } from 'node:fs';

/** Null where the system has no /proc. */
export function openScheduler(): number | null {
  try {
    return openSync('/proc/self/schedstat', 'r');
  } catch {
    return null;
  }
}

/** Milliseconds since it began: computing, and ready to with no processor free. */
export function scheduled(file: number): { cpu: number; wait: number } {
  const text = Buffer.alloc(100);
  const bytes = readSync(file, text, 0, text.length, 0);
  const [cpu = 0, wait = 0] = text.toString('latin1', 0, bytes).split(' ').map(Number);
  return { cpu: cpu / 1e6, wait: wait / 1e6 };
}
