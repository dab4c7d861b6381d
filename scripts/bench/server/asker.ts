/** A thread of its own that asks every 50 ms whether the server is well: the crowd's own work is not in its times. */
import { setTimeout as timeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Milliseconds that each answer took, and how many were no 200. */
export interface Asked {
  times: number[];
  wrong: number;
}

const PAUSE_MS = 50;

const asked: Asked = { times: [], wrong: 0 };
let over = false;
parentPort?.once('message', () => (over = true));
while (!over) {
  const at = performance.now();
  const answer = await fetch(`${String(workerData)}/health`).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
  asked.times.push(performance.now() - at);
  if (answer?.status !== 200) asked.wrong += 1;
  await timeout(PAUSE_MS);
}
parentPort?.postMessage(asked);
