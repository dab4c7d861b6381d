/** The tools that this browser has, and the connectors that its server's operator declared. */
import { ALL_TOOLS } from '#core/toolbox/all-tools.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { declaredSources } from '#ui/client/declared-sources.ts';

export const allTools = async (): Promise<readonly ToolboxTool[]> => [...ALL_TOOLS, ...(await declaredSources())];

export const isConnector = (tool: ToolboxTool): tool is ConnectorTool => 'connector' in tool;
