/** The ingesters of every lane in one registry, with those of the engine around them. */
import type { LaneCore } from '../lane-core.ts';
import { archiveIngesters } from './archive-ingesters.ts';
import { companionIngester } from './companion-ingester.ts';
import { fallbackIngester } from './fallback-ingester.ts';
import { createRegistry, type IngesterRegistry } from './registry.ts';

const systemIngester = companionIngester({
  id: 'os-metadata',
  name: 'System file ingester',
  description: 'Leaves out what Windows and macOS put into folders and archives.',
  capabilities: ['ingest:os-metadata'],
  kind: 'system',
  outcome: 'ignored',
  keep: 'nothing',
});

/** Throws when two ingesters share an id: a mistake of the program. */
export function ingesterRegistry(lanes: readonly Pick<LaneCore, 'ingesters'>[]): IngesterRegistry {
  const own = lanes.flatMap(({ ingesters }) => ingesters);
  return createRegistry([...archiveIngesters, ...own, systemIngester, fallbackIngester]);
}
