/**
 * The tools of the toolbox as a playbook's step may name them. They compute in the cage and reach neither files nor network, but for
 * those that ask sources: a connector asks hosts that the step names and a person agreed to. Free code runs where a person agreed to
 * its hash, as a playbook may be a stranger's (decision 143). None of them starts a program (decision 134).
 */
import { failure } from '#core/errors.ts';
import { unagreedCode } from '#core/toolbox/free-code.ts';
import { inContext } from '#core/agent/tools/make-tool.ts';
import { canonical } from '#core/agent/tools/tool.ts';
import { commonDomains } from '#core/domains.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import type { Connector } from '#core/toolbox/connectors/net.ts';
import type { ToolboxContext, ToolboxTool } from '#core/toolbox/tool.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';

/** What tools of steps reach beyond the cage. */
export interface StepReach extends Pick<ToolboxContext, 'cage' | 'net'> {
  /** Patterns of hosts to which a person agreed for this playbook. */
  agreed?: readonly string[];
  /** Hashes of free code to which a person agreed. */
  agreedCode?: ReadonlySet<string>;
  /** Those that ask sources, where the run has any. */
  connectors?: readonly (ToolboxTool & { connector: Connector })[];
}

export function toolboxTools({
  agreed = [],
  agreedCode = new Set(),
  connectors = [],
  ...reach
}: StepReach): OfferedTool[] {
  return [
    ...TOOLS.map((tool): OfferedTool => {
      const { code } = tool;
      if (code === undefined) return inContext(bounded(tool), () => reach);
      return { ...inContext(agreedOnly(bounded(tool), agreedCode), () => reach), runs: { code, agreed: agreedCode } };
    }),
    ...connectors.map((tool): OfferedTool => {
      const within = (domains: readonly string[]): OfferedTool =>
        inContext(bounded(tool), () => ({ ...reach, domains: commonDomains(domains, agreed) }));
      return { ...within([]), asks: { hosts: tool.connector.hosts, agreed, within } };
    }),
  ];
}

/** Code that a model wrote is refused here; what stands in the playbook is refused before the run (check/tools.ts). */
const agreedOnly = (tool: ToolboxTool, agreed: ReadonlySet<string>): ToolboxTool => ({
  ...tool,
  async execute(input, run) {
    const refused = await unagreedCode(tool, input, agreed);
    return refused === null ? tool.execute(input, run) : { ok: false, failure: refused };
  },
});

/** A config may hold more than a tool takes. */
function bounded(tool: ToolboxTool): ToolboxTool {
  const most = tool.bounds.inputBytes;
  return {
    ...tool,
    execute: (input, run) => {
      if (encodeUtf8(canonical(input)).length <= most) return tool.execute(input, run);
      const said = `${tool.name}: the input is larger than ${most} bytes.`;
      return Promise.resolve({ ok: false, failure: failure('tool_limit', said) });
    },
  };
}
