/** Reads a whole SQLite database in a thread of its own: it takes seconds, and blocks the thread that it is in. */
import { parentPort, workerData } from 'node:worker_threads';
import { quickCheck } from './quick-check.ts';

// Given by quick-check.ts alone.
parentPort?.postMessage(quickCheck(workerData as string));
