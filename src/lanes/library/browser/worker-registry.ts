import type { LaneCore } from '#core/lane-core.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { browserPdfReader } from './pdf-files.ts';
import { browserParser } from './syntax-files.ts';

/** The agents of every lane, by lane; the library's own with what parses code. */
export function workerRegistry(cores: ReadonlyMap<string, LaneCore>): IngesterRegistry {
  const all = new Map(cores).set('library', {
    ingesters: libraryAgents({ syntax: browserParser(), pdf: browserPdfReader() }),
  });
  return ingesterRegistry([...all.values()]);
}
