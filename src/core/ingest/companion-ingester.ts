import type { Companion } from '../job/job.ts';
import type { Capability } from './capability.ts';
import type { Ingester } from './ingester.ts';
import { extensionOf } from './paths.ts';
import { takeByContent } from './take-by-content.ts';

export interface CompanionFacts {
  /** `cue`: becomes `cue-ingester`. */
  id: string;
  name: string;
  description: string;
  capabilities: readonly Capability[];
  kind: Companion['kind'];
  outcome: string;
  keep: 'nothing' | 'text';
}

/** An ingester of files that come along with others: one quiet line, unless something that is read hides behind the name. */
export function companionIngester(facts: CompanionFacts): Ingester {
  const { id, name, description, capabilities, kind, outcome, keep } = facts;
  return {
    ...{ agentId: `${id}-ingester`, name, description, capabilities },
    priority: 10,
    tags: ['ingester', 'companion'],
    ingest: (input) => takeByContent(input, `.${extensionOf(input.path)}`) ?? { as: 'companion', kind, outcome, keep },
  };
}
