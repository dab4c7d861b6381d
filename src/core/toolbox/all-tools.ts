/** The tools that compute, those that ask sources, and programs of the machine. */
import { command } from './command.ts';
import { CONNECTORS } from './connectors/connectors.ts';
import type { ToolboxTool } from './tool.ts';
import { TOOLS } from './tools.ts';

export const ALL_TOOLS: readonly ToolboxTool[] = [...TOOLS, ...CONNECTORS, command];
