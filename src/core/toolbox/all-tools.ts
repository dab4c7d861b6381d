/** The tools that compute and those that ask sources. */
import { CONNECTORS } from './connectors/connectors.ts';
import type { ToolboxTool } from './tool.ts';
import { TOOLS } from './tools.ts';

export const ALL_TOOLS: readonly ToolboxTool[] = [...TOOLS, ...CONNECTORS];
