/**
 * Loaded into the server that is measured (`--import`): for how long its event loop kept everybody waiting, and why. The
 * scheduler says of the loop's thread how long it computed and how long it waited for a processor; the rest of a turn it
 * waited for the disk. So what is the machine's (`wait`) is told from what is the server's own. Written to
 * `ACCESSION_TURNS` at the end; nothing where the system has no /proc.
 */
import { writeFileSync } from 'node:fs';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { openScheduler, scheduled } from './scheduled.ts';

/** The longest turn of each kind, milliseconds. */
export interface TurnFigures {
  wall: number;
  /** Computing. */
  cpu: number;
  /** Ready to go on, with no processor free. */
  wait: number;
  /** Standing still in a system call: the disk. */
  disk: number;
  /** Turns of more than `LONG_MS` that were the server's own, with what was under way. */
  long: { cpu: number; disk: number; requests: string[] }[];
}

/** So often is looked: a turn is at least as long as the time between two looks says. Milliseconds. */
const LOOK_MS = 4;
const LONG_MS = 50;
const MOST_SAID = 50;

const path = process.env['ACCESSION_TURNS'];
// The server's own threads inherit what was loaded; nobody waits for those.
if (path !== undefined && isMainThread) watch(path);

function watch(to: string): void {
  const file = openScheduler();
  if (file === null) return;
  const under = requestsUnderWay();
  const most: TurnFigures = { wall: 0, cpu: 0, wait: 0, disk: 0, long: [] };
  const look = (): { at: number; cpu: number; wait: number } => ({ at: performance.now(), ...scheduled(file) });
  let before: ReturnType<typeof look> | null = null;
  const timer = setInterval(() => {
    const now = look();
    // Not before the first request: starting is nobody's waiting.
    if (before !== null && under.seen()) note(most, turnOf(before, now), under.names);
    before = now;
  }, LOOK_MS);
  timer.unref();
  process.on('exit', () => writeFileSync(to, JSON.stringify(most)));
}

interface Turn {
  wall: number;
  cpu: number;
  wait: number;
  disk: number;
}

function turnOf(a: { at: number; cpu: number; wait: number }, b: typeof a): Turn {
  const [wall, cpu, wait] = [b.at - a.at, b.cpu - a.cpu, b.wait - a.wait];
  // The loop's own sleep between two looks is no waiting for the disk.
  return { wall, cpu, wait, disk: Math.max(0, wall - cpu - wait - LOOK_MS) };
}

function note(most: TurnFigures, turn: Turn, requests: () => string[]): void {
  for (const kind of ['wall', 'cpu', 'wait', 'disk'] as const) most[kind] = Math.max(most[kind], turn[kind]);
  if (turn.cpu + turn.disk > LONG_MS && most.long.length < MOST_SAID)
    most.long.push({ cpu: turn.cpu, disk: turn.disk, requests: requests() });
}

/** What changes something, by method and path, while it is not answered. */
function requestsUnderWay() {
  const under = new Set<string>();
  let count = 0;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'request') {
      count += 1;
      const [request, response] = args as [IncomingMessage, ServerResponse];
      const name = `${count} ${request.method ?? ''} ${request.url ?? ''} ${request.headers['content-length'] ?? ''}`;
      if (request.method !== 'GET') under.add(name);
      response.on('close', () => under.delete(name));
    }
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  };
  return { seen: () => count > 0, names: () => [...under].slice(0, 8) };
}
