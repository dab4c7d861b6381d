/**
 * The tools of the toolbox as a playbook's step may name them. They compute in the cage and reach neither files nor network, but for
 * those that ask sources: a connector asks hosts that the step names and a person agreed to. Free code runs where a person agreed to
 * its hash, as a playbook may be a stranger's (decision 143). None of them starts a program (decision 134).
 */
import { failure } from '#core/errors.ts';
import { unagreedCode } from '#core/toolbox/free-code.ts';
import { inContext } from '#core/agent/tools/make-tool.ts';
import { canonical, isRecord } from '#core/agent/tools/tool.ts';
import { commonDomains } from '#core/domains.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import type { Connector } from '#core/toolbox/connectors/net.ts';
import type { ToolboxContext, ToolboxTool } from '#core/toolbox/tool.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import type { OfferedTool, StepBounds } from '#core/agent/tools/offered-tool.ts';
import { boundsOf, type ToolBounds } from '#core/toolbox/cage.ts';
import { cutTo } from '#core/toolbox/cut.ts';

/** What tools of steps reach beyond the cage. */
export interface StepReach extends Pick<ToolboxContext, 'cage' | 'net' | 'raised'> {
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
      const within = (limits: StepBounds): OfferedTool => {
        const bounds = boundsOf(tool.bounds, { ...reach, lowered: limits });
        const free = code === undefined ? tool : agreedOnly(tool, agreedCode);
        return inContext(bounded(free, bounds), () => ({ ...reach, lowered: limits }));
      };
      const runs = code === undefined ? {} : { runs: { code, agreed: agreedCode } };
      return { ...within({}), ...runs, lowered: within };
    }),
    ...connectors.map((tool): OfferedTool => {
      const within = (domains: readonly string[]): OfferedTool =>
        inContext(bounded(tool, boundsOf(tool.bounds, reach)), () => ({
          ...reach,
          domains: commonDomains(domains, agreed),
        }));
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

/** A config may hold more than a tool takes, and a result more than a model reads: all of it is in the journal. */
function bounded(tool: ToolboxTool, { inputBytes: most, resultBytes }: ToolBounds): ToolboxTool {
  return {
    ...tool,
    render(output, handle) {
      const read = tool.render(output, handle);
      if (!isRecord(read)) return read;
      const { output: shown, cuts } = cutTo(read, resultBytes);
      return cuts.length === 0 ? shown : { ...shown, cut: cuts };
    },
    execute: (input, run) => {
      if (encodeUtf8(canonical(input)).length <= most) return tool.execute(input, run);
      const said = `${tool.name}: the input is larger than ${most} bytes.`;
      return Promise.resolve({ ok: false, failure: failure('tool_limit', said) });
    },
  };
}
