/** The agents that a person wrote as files. */
import { sha256 } from 'hash-wasm';
import { readAgentFile, type AgentFileRefusal } from '#core/ingest/agent-file.ts';
import type { ChunkAgent, IngestAgent } from '#core/ingest/agent.ts';
import { LLM_CODE_INGESTER, modelIngester, type ModelAsker } from './model-ingester.ts';

export interface AgentSource {
  /** For messages. */
  file: string;
  text: string;
}

export interface FileAgents {
  agents: ChunkAgent[];
  refused: (AgentFileRefusal & { file: string })[];
  /** The file of each agent, by its id. */
  from: ReadonlyMap<string, string>;
}

/** The same in the order of the files' names. */
export function agentsFromFiles(
  files: readonly AgentSource[],
  known: readonly IngestAgent[],
  ask: ModelAsker,
): Promise<FileAgents> {
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return agentsInOrder(sorted, known, ask);
}

/**
 * Every file that is an agent, and why the others are none. An id that a built-in agent has, or an earlier file, is refused.
 *
 * @param known the built-in agents
 */
export async function agentsInOrder(
  files: readonly AgentSource[],
  known: readonly IngestAgent[],
  ask: ModelAsker,
): Promise<FileAgents> {
  const taken = new Map(known.map(({ agentId }) => [agentId, 'an agent of the program']));
  const from = new Map<string, string>();
  const found: FileAgents = { agents: [], refused: [], from };
  for (const { file, text } of files) {
    const read = readAgentFile(text);
    if (!read.ok) {
      found.refused.push({ file, ...read.refusal });
      continue;
    }
    const { idLine, systemPrompt, ...agent } = read.agent;
    const other = taken.get(agent.agentId);
    if (other !== undefined) {
      found.refused.push({ file, line: idLine, message: `the id "${agent.agentId}" is taken by ${other}` });
      continue;
    }
    taken.set(agent.agentId, `"${file}"`);
    from.set(agent.agentId, file);
    const prompt = systemPrompt === '' ? LLM_CODE_INGESTER.systemPrompt : systemPrompt;
    found.agents.push(modelIngester({ ...agent, systemPrompt: prompt, version: await sha256(text) }, ask));
  }
  return found;
}
