import type { Companion } from '../../job/job.ts';
import { takeAsItIs } from '../audio-ingester.ts';
import type { Capability } from '../capability.ts';
import { familyOf } from '../file-kinds.ts';
import type { Ingester } from '../ingester.ts';
import { extensionOf } from '../paths.ts';

interface CompanionFacts {
  id: string;
  name: string;
  description: string;
  capabilities: readonly Capability[];
  kind: Companion['kind'];
  outcome: string;
  keep: 'nothing' | 'text';
}

/** An ingester of files that come along with music: one quiet line, unless sound hides behind the name. */
export function companionIngester(facts: CompanionFacts): Ingester {
  return {
    agentId: facts.id,
    name: facts.name,
    description: facts.description,
    priority: 10,
    capabilities: facts.capabilities,
    tags: ['ingester', 'companion'],
    ingest(input) {
      if (familyOf(input.kind) === 'audio') return takeAsItIs(input, `.${extensionOf(input.path)}`);
      return { as: 'companion', kind: facts.kind, outcome: facts.outcome, keep: facts.keep };
    },
  };
}
