/** What tests of ingesters share: clock, timers that never fire, and one file read by the chain. */
import type { IngestAgent } from '#core/ingest/agent.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks, type ReadFile, type ReadingPorts } from '#core/ingest/read-chunks.ts';

export const still: ReadingPorts = { clock: { now: () => 0 }, timers: { set: () => null, clear: () => undefined } };

/** One file, read by these agents and the engine's own. */
export function readBy(
  agents: readonly IngestAgent[],
  path: string,
  content: string,
  ports = still,
): Promise<ReadFile> {
  return readChunks(ingesterRegistry([{ ingesters: agents }]), { path, content }, ports);
}
