import { failure } from '../errors.ts';
import type { IngestInput, IngestOutcome } from './ingester.ts';
import { baseName } from './paths.ts';
import type { IngesterRegistry } from './registry.ts';

/** What is to be done with one file, and which agent said so. Pure. */
export function ingestFile(
  registry: IngesterRegistry,
  input: Omit<IngestInput, 'reader'>,
): { agentId: string; outcome: IngestOutcome } {
  const agent = registry.resolve(input.path);
  const outcome = agent.ingest({ ...input, reader: registry.readerOf(input.kind) });
  // An empty companion is as quiet as a full one; anything else without content is a loss to be reported.
  if (input.size > 0 || (outcome.as === 'companion' && outcome.keep !== 'blob'))
    return { agentId: agent.agentId, outcome };
  const name = baseName(input.path);
  return {
    agentId: agent.agentId,
    outcome: { as: 'failed', failure: failure('file_empty', `"${name}" is empty (0 bytes).`, { subject: name }) },
  };
}
