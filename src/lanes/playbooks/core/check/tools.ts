/** The tools that a step names: each must be there, and none may write (PB-40). */
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { PlaybookFault } from '../faults.ts';
import { didYouMean } from '../read/nearest.ts';
import type { Step } from '../read/playbook.types.ts';
import { fieldOf, isList, isMapping } from '../value.ts';

/** Throws PlaybookFault `tool_unknown`. */
export function checkTools(step: Step, tools: readonly AgentTool<unknown>[]): void {
  const agent = fieldOf(step.raw, 'agent') ?? null;
  const listed = isMapping(agent) ? (fieldOf(agent, 'tools') ?? []) : [];
  const named = [fieldOf(step.raw, 'tool') ?? null, ...(isList(listed) ? listed : [])];
  for (const name of named) {
    if (typeof name !== 'string') continue;
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined)
      throw new PlaybookFault(
        'tool_unknown',
        name,
        `There is no tool "${name}" for playbooks.${didYouMean(
          name,
          tools.map((one) => one.name),
        )}`,
      );
    if (tool.risk !== 'read')
      throw new PlaybookFault('tool_unknown', name, `"${name}" writes, and a playbook's tools only look.`);
  }
}
