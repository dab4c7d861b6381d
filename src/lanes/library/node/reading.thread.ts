/** A thread that reads files for reading-threads.ts. */
import { parentPort } from 'node:worker_threads';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { threadReader } from '#lanes/library/core/indexing/thread-reader.ts';
import type { ToThread } from '#lanes/library/core/indexing/thread-messages.ts';
import { nodePdfReader } from './pdf-files.ts';
import { readingPorts } from './reading-ports.ts';
import { nodeParser } from './syntax-files.ts';

const port = parentPort;
const [syntax, pdf] = [nodeParser(), nodePdfReader()];
const hear = threadReader({ ...readingPorts, own: (ask) => libraryAgents({ syntax, pdf, ask }) }, (message) =>
  port?.postMessage(message),
);
port?.on('message', (message: ToThread) => hear(message));
