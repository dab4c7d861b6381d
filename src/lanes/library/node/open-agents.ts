/** The agents of a program that runs on: its own, and those of folders, which are looked at again and again. */
import { join } from 'node:path';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import type { AgentSource } from '#lanes/library/core/model/agent-files.ts';
import { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { watchAgentFolder } from './agent-folder.ts';
import { nodePdfReader } from './pdf-files.ts';
import { nodeParser } from './syntax-files.ts';

export interface AgentWishes {
  /** The model that agents may ask; none where it is not said. */
  ask?: ModelAsker;
  /** A sentence for each file that is no agent, once. */
  say?: ((line: string) => void) | undefined;
}

export interface OpenedAgents {
  agents: LiveAgents;
  /** Looks at the folders at once. */
  look(): Promise<void>;
  close(): void;
}

/** Where a server and the command line look for agents without being told. */
export const agentsFolder = (data: string): string => join(data, 'agents');

/**
 * Agents with the Markdown files of these folders: what comes, changes or goes there is in force within a second. A folder
 * that is not there has none, until it comes.
 */
export async function openAgents(
  folders: readonly string[],
  { ask = null, say }: AgentWishes = {},
): Promise<OpenedAgents> {
  const parser = nodeParser();
  const pdf = nodePdfReader();
  const own = (model: ModelAsker) => libraryAgents({ syntax: parser, pdf, ask: model });
  const agents = await LiveAgents.open({ own, ask, files: [] });
  const said = new Set<string>();
  const found = new Map<string, AgentSource[]>();
  const watches = folders.map((folder, at) =>
    watchAgentFolder(folder, async (files) => {
      // Two folders may have files of one name.
      found.set(folder, at === 0 ? files : files.map(({ file, text }) => ({ file: join(folder, file), text })));
      await agents.change({ files: [...found.values()].flat() });
      for (const { file, line, message } of agents.now.refused) {
        const sentence = `no agent: ${file}, line ${line}: ${message}`;
        if (!said.has(sentence)) say?.(sentence);
        said.add(sentence);
      }
    }),
  );
  const look = async (): Promise<void> => {
    for (const watch of watches) await watch.look();
  };
  await look();
  return {
    agents,
    look,
    close() {
      for (const watch of watches) watch.stop();
    },
  };
}
