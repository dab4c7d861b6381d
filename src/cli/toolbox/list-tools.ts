/** What there is: a line a tool, or all of one. */
import { inputSchema } from '#core/agent/tools/registry.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

/** Throws AccessionError `not_found` for a tool that there is not. */
export function listTools(name: string | undefined, json: boolean, tools: readonly ToolboxTool[]): string[] {
  const listed = (name === undefined ? tools : [toolNamed(name, tools)]).map((tool) => ({
    ...{ name: tool.name, version: tool.version, runtime: tool.runtime, description: tool.description },
    ...{ bounds: tool.bounds, example: tool.example, input: inputSchema(tool) },
  }));
  if (name !== undefined || json) return [JSON.stringify(name === undefined ? listed : listed[0], null, 2)];
  const width = Math.max(...listed.map((one) => one.name.length));
  return listed.map((one) => `${one.name.padEnd(width)}  ${one.runtime.padEnd(6)}  ${one.description}`);
}
