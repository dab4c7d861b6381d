/**
 * A process that writes a lane's snapshot of its catalog: it reads the database, never writes to it, and ends with the file.
 * What is kept while an index of a million tracks is made, and its garbage, are in nobody's way. snapshot/snapshotting.ts
 * starts it; asked to end (SIGTERM) it leaves nothing behind.
 */
import { once } from 'node:events';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { openReading } from './processes/reading-process.ts';
import type { FromSnapshotProcess, SnapshotOrder } from './snapshot/snapshotting.ts';

const stopped = new AbortController();
// Ctrl-C in a terminal goes to all processes of it; this one ends with its server.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => stopped.abort());
process.on('disconnect', () => stopped.abort());

async function work(order: SnapshotOrder): Promise<FromSnapshotProcess> {
  const { db, server } = await openReading(order);
  if (server?.writeSnapshot === undefined) throw new Error(`the lane "${order.lane}" has no snapshot`);
  const files = { sync: syncDirectory };
  return { written: await server.writeSnapshot(db, order.directory, files, stopped.signal) };
}

const [order] = (await once(process, 'message')) as [SnapshotOrder];
const said: FromSnapshotProcess = await work(order).catch((error: unknown) => ({
  failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
}));
if (process.connected) process.send?.(said, undefined, {}, () => process.exit(0));
else process.exit(1);
