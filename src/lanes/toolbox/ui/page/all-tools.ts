/** The tools that this browser has, and the connectors that its server's operator declared. */
import { AccessionError } from '#core/errors.ts';
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { declaredByServer } from '../client.ts';

export async function allTools(): Promise<readonly ToolboxTool[]> {
  const tools = [...ALL_TOOLS];
  for (const text of await declaredByServer()) {
    try {
      const tool = declaredTool(readDeclared(text, 'the server'));
      if (!tools.some(({ name }) => name === tool.name)) tools.push(tool);
    } catch (thrown) {
      // A server of another version may declare what this page cannot read.
      if (!(thrown instanceof AccessionError)) throw thrown;
    }
  }
  return tools;
}

export const isConnector = (tool: ToolboxTool): tool is ConnectorTool => 'connector' in tool;
