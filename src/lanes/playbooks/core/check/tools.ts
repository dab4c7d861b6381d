/** The tools that a step names: each must be there, and none may write (PB-40); one that asks sources needs hosts, agreed to. */
import { commonDomains, isPattern } from '#core/domains.ts';
import { PlaybookFault } from '../faults.ts';
import { didYouMean } from '../read/nearest.ts';
import type { Step } from '../read/playbook.types.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { fieldOf, isList, isMapping } from '../value.ts';

/**
 * Throws PlaybookFault `tool_unknown`, `playbook_value`, `domains_unagreed`.
 * @param domains of the step
 */
export function checkTools(step: Step, domains: readonly string[], tools: readonly OfferedTool[]): void {
  for (const name of namedTools(step)) {
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
    if (tool.unavailable !== undefined)
      throw new PlaybookFault('tool_unknown', name, `The tool "${name}" cannot be used here.`, {
        remedy: tool.unavailable,
      });
    if (tool.risk !== 'read')
      throw new PlaybookFault('tool_unknown', name, `"${name}" writes, and a playbook's tools only look.`);
    if (tool.asks !== undefined) checkDomains(tool, tool.asks, domains);
  }
}

export function namedTools(step: Step): string[] {
  const agent = fieldOf(step.raw, 'agent') ?? null;
  const listed = isMapping(agent) ? (fieldOf(agent, 'tools') ?? []) : [];
  const named = [fieldOf(step.raw, 'tool') ?? null, ...(isList(listed) ? listed : [])];
  return named.filter((name) => typeof name === 'string');
}

function checkDomains(
  { name }: OfferedTool,
  { hosts, agreed }: NonNullable<OfferedTool['asks']>,
  domains: readonly string[],
): void {
  const wrong = domains.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) throw new PlaybookFault('playbook_value', 'agent', `"${wrong}" is no domain.`, WRITTEN);
  const like = hosts?.[0] ?? '*.example.org';
  if (domains.length === 0)
    throw new PlaybookFault('playbook_value', name, `"${name}" asks a source, and the step names no domain.`, {
      remedy: `Say which: agent: { domains: ["${like}"] }.`,
    });
  if (hosts !== null && commonDomains(hosts, domains).length === 0) {
    const said = `"${name}" asks ${hosts.join(', ')}, and none of it is among the step's domains.`;
    throw new PlaybookFault('playbook_value', name, said, WRITTEN);
  }
  const left = domains.filter((domain) => !commonDomains([domain], agreed).includes(domain.toLowerCase()));
  if (left.length > 0)
    throw new PlaybookFault(
      'domains_unagreed',
      name,
      `"${name}" would ask ${left.join(', ')}, to which nobody agreed.`,
    );
}

const WRITTEN = { remedy: 'Write it as "example.org", or "*.example.org" for all below it.' };
