/**
 * The tools of the toolbox as a playbook's step may name them: all but those that run free code, since a playbook may be a
 * stranger's. They compute in the cage and reach neither files nor network.
 */
import { failure } from '#core/errors.ts';
import { inContext } from '#core/agent/tools/make-tool.ts';
import { canonical, type AgentTool } from '#core/agent/tools/tool.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { TOOLS } from '#core/toolbox/tools.ts';

export function toolboxTools(cage: Cage): AgentTool<unknown>[] {
  return TOOLS.filter(({ code }) => code === undefined).map((tool) => inContext(bounded(tool), () => ({ cage })));
}

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
