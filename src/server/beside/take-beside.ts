/** Which requests a process of its own does. */
import type { Context } from 'hono';
import type { Env } from '../deps.ts';
import { bodyChunks } from '../http/body.ts';
import { idempotencyKey } from '../http/mutate.ts';
import type { Beside, Made, Task } from './beside.ts';

/** Bytes from which a worker's save or a report is worth a process of its own: starting one costs about a second of processor. */
export const LARGE = 8 * 1024 * 1024;

/**
 * What came of the request; null where it has at most `from` bytes or no process can be had: then the loop does it.
 * @param most bytes that a body may have that does not say how many it has
 */
export async function takeBeside<K extends Task>(
  c: Context<Env>,
  beside: Beside | undefined,
  { task, from, most, lease = null }: { task: K; from: number; most: number; lease?: string | null },
): Promise<Made[K] | null> {
  const said = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY);
  if (beside === undefined || c.req.raw.body === null || said <= from) return null;
  const { method, path } = c.req;
  // The body has its own least speed; writing it may take longer than a silent connection lives.
  c.env.incoming?.socket.setTimeout(0);
  const bytes = Number.isFinite(said) ? said : most;
  const order = { task, by: c.get('principal'), key: idempotencyKey(c), method, path, lease, bytes };
  return beside(order, () => bodyChunks(c));
}
