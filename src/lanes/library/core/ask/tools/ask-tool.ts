/** Tools as a run knows them. */
import * as v from 'valibot';
import { inputSchema } from '#core/agent/tools/registry.ts';
import type { AgentTool } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { isPattern } from '#core/domains.ts';
import type { KnownTool } from '../run/model-plan.ts';
import type { AskToolContext } from './context.ts';

export interface AskTool {
  tool: AgentTool<AskToolContext>;
  /** It reaches the network: it is off unless the run may reach some domain. */
  network?: boolean;
  /** Of a file: changes with all that is in it. */
  fingerprint?: string;
  /** What must hold beyond the schema; a sentence where it does not. */
  refuses?(input: Record<string, unknown>, known: Known): string | null;
}

/** What a call may stand on. */
export interface Known {
  question: string;
  evidence: readonly Evidence[];
}

/** Throws AccessionError `invalid` that names the tool, and those that there are. */
export function refuseUnknown(
  { allow, domains }: { allow: readonly string[]; domains: readonly string[] },
  tools: readonly AskTool[],
): void {
  const wrong = domains.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined)
    throw failed('invalid', `"${wrong}" is no domain.`, {
      remedy: 'Say "example.org", or "*.example.org" for all below it.',
    });
  for (const name of allow) {
    const found = tools.find(({ tool }) => tool.name === name);
    if (found === undefined)
      throw failed(
        'invalid',
        `There is no tool "${name}". There are: ${tools.map(({ tool }) => tool.name).join(', ')}.`,
      );
    if (found.tool.side_effects)
      throw failed('invalid', `The tool "${name}" changes something outside: a run may only look.`);
    if (found.network === true && domains.length === 0)
      throw failed('invalid', `The tool "${name}" reaches the network, and no domain may be reached.`, {
        remedy: 'Say which: --domains "*.wikipedia.org".',
      });
  }
}

export const toolVersions = (allow: readonly string[], tools: readonly AskTool[]): string =>
  tools
    .flatMap(({ tool, fingerprint }) =>
      allow.includes(tool.name)
        ? [`${tool.name}@${tool.version}${fingerprint === undefined ? '' : `+${fingerprint}`}`]
        : [],
    )
    .join(' ');

export function knownTools(allow: readonly string[], tools: readonly AskTool[], known: Known): KnownTool[] {
  return tools
    .filter(({ tool }) => allow.includes(tool.name))
    .map(({ tool, refuses }) => ({
      name: tool.name,
      description: tool.description,
      schema: inputSchema(tool),
      refuses(input) {
        const read = v.safeParse(tool.input, input);
        if (read.success) return refuses?.(input, known) ?? null;
        const [issue] = read.issues;
        const path = v.getDotPath(issue);
        return path === null ? issue.message : `${path}: ${issue.message}`;
      },
    }));
}
