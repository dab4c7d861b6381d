/** The code of a step whose tool runs free code: it is taken as it stands in the playbook, so that a person can agree to it first. */
import { FREE_CODE } from '#core/toolbox/free-code-names.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { PlaybookFault } from '../faults.ts';
import type { Step } from '../read/playbook.types.ts';
import { fieldOf, isMapping, mappingOf, type Mapping } from '../value.ts';

export interface StepCode {
  step: string;
  tool: string;
  code: string;
  /** By which a person agrees to it. */
  sha256: string;
  agreed: boolean;
}

/** `with` of a step, parted into what is expanded and what stands as it is. */
export function withOf(raw: Mapping): { expanded: Mapping; code: Mapping } {
  const given = fieldOf(raw, 'with') ?? {};
  const tool = fieldOf(raw, 'tool');
  if (!isMapping(given)) return { expanded: {}, code: {} };
  if (typeof tool !== 'string' || !FREE_CODE.includes(tool)) return { expanded: given, code: {} };
  const entries = Object.entries(given);
  return {
    expanded: mappingOf(entries.filter(([key]) => key !== 'code')),
    code: mappingOf(entries.filter(([key]) => key === 'code')),
  };
}

/** Null: the step's tool runs none. Throws PlaybookFault `playbook_value`. */
export async function codeOfStep(
  { name, raw }: Step,
  tools: readonly OfferedTool[],
  sha256: (text: string) => Promise<string>,
): Promise<StepCode | null> {
  const named = fieldOf(raw, 'tool') ?? null;
  const tool = tools.find((one) => one.name === named);
  if (tool?.runs === undefined) return null;
  const code = fieldOf(withOf(raw).code, 'code') ?? null;
  if (typeof code !== 'string')
    throw new PlaybookFault('playbook_value', 'with', `"${tool.name}" runs code, and there is none in "with".`, {
      remedy: 'Write it there: with: { code: "...", data: ... }.',
    });
  const hash = await sha256(tool.runs.code({ code }));
  return { step: name, tool: tool.name, code, sha256: hash, agreed: tool.runs.agreed.has(hash) };
}

export const unagreed = ({ tool, sha256 }: StepCode): PlaybookFault =>
  new PlaybookFault('code_unagreed', tool, `"${tool}" would run code to which nobody agreed (${sha256}).`);
