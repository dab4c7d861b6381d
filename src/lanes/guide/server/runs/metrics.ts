/** The four counters of guarded runs, under the specification's names. */
import { GUIDE_TOOLS } from '#lanes/guide/core/run/run.types.ts';
import type { LaneCounter } from '#server/lane-server.ts';
import type { Reader } from '#server/store/schema.ts';
import { readMemory } from './sql-run-store.ts';

export async function runCounters(db: Reader): Promise<LaneCounter[]> {
  const { counters } = await readMemory(db);
  const one = (
    name:
      | 'ai_metadata_resolution_attempt_total'
      | 'ai_metadata_resolution_success_total'
      | 'ai_metadata_resolution_abort_total',
    help: string,
  ): LaneCounter => ({ name, help, counts: [{ of: '', count: counters[name] }] });
  return [
    one('ai_metadata_resolution_attempt_total', 'Guarded runs of the guide that were begun.'),
    one('ai_metadata_resolution_success_total', 'Guarded runs of the guide that were a success.'),
    one('ai_metadata_resolution_abort_total', 'Guarded runs of the guide that a guard ended.'),
    {
      name: 'ai_metadata_tool_selected',
      help: 'Uses of a tool by guarded runs of the guide.',
      label: 'tool',
      counts: GUIDE_TOOLS.map((tool) => ({ of: tool, count: counters.ai_metadata_tool_selected[tool] ?? 0 })),
    },
  ];
}
