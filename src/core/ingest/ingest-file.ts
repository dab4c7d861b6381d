import { failure } from '../errors.ts';
import type { IngestInput, IngestOutcome } from './ingester.ts';
import { baseName } from './paths.ts';
import type { IngesterRegistry } from './registry.ts';

/** What is to be done with one file, and which agent said so. Pure. */
export function ingestFile(
  registry: IngesterRegistry,
  input: IngestInput,
): { agentId: string; outcome: IngestOutcome } {
  const agent = registry.resolve(input.path);
  const outcome = agent.ingest(input);
  // An empty companion is as quiet as a full one; anything else without content is a loss to be told.
  if (input.size > 0 || (outcome.as === 'companion' && outcome.kind !== 'cover'))
    return { agentId: agent.agentId, outcome };
  const name = baseName(input.path);
  return {
    agentId: agent.agentId,
    outcome: { as: 'failed', failure: failure('file_empty', `"${name}" is empty (0 bytes).`, { subject: name }) },
  };
}
