/** What the toolbox of a question reaches beyond the cage: sources, and programs that the command line names. */
import type { Command } from 'commander';
import { openSources, toolsWith, type Reach, type SourceFlags } from '#cli/open-sources.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { TOOLS } from '#core/toolbox/tools.ts';

export interface ReachFlags extends Pick<SourceFlags, 'connector' | 'command'> {
  recordSources?: string;
  replaySources?: string;
}

const several = (value: string, before: string[] = []): string[] => [...before, value];

export const withReachFlags = (command: Command): Command =>
  command
    .option('--connector <file>', 'a connector that is declared in a file of YAML (may be said again)', several)
    .option('--command <command>', 'a program that may run: a preset, or NAME=PROGRAM ARGUMENT ...', several)
    .option('--record-sources <file>', 'keep what sources answer there, for --replay-sources')
    .option('--replay-sources <file>', 'sources answer from such a file, without a network');

/** Throws AccessionError `invalid`, `not_found`. */
export async function openReach(
  { connector, command, recordSources: record, replaySources: replay }: ReachFlags,
  data: string,
): Promise<Pick<Reach, 'net' | 'commands'> & { tools: ToolboxTool[] }> {
  const said = {
    ...(connector === undefined ? {} : { connector }),
    ...(command === undefined ? {} : { command }),
    ...(record === undefined ? {} : { record }),
    ...(replay === undefined ? {} : { replay }),
  };
  const { net, commands } = await openSources(said, data, 'said');
  const known = new Set(TOOLS);
  const tools = (await toolsWith(said, data)).filter((tool) => !known.has(tool));
  return {
    ...(net === undefined ? {} : { net }),
    ...(commands === undefined ? {} : { commands }),
    tools: command === undefined ? tools.filter((tool) => 'connector' in tool) : tools,
  };
}
