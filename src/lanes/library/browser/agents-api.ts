/** What the pages may ask about agents. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { Settings } from '#core/config.ts';
import { yieldsChunks, type ChunkAgent } from '#core/ingest/agent.ts';
import { answered } from '#core/result.ts';
import { agentsInOrder } from '#lanes/library/core/model/agent-files.ts';
import type { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import type { AgentRow, LibraryApi } from './library-api.types.ts';
import { mayAskModel, modelFor } from './model-choice.ts';

/** `open`: the agents in force. */
export function agentsApi(
  db: AccessionDb,
  open: () => Promise<LiveAgents>,
): Pick<LibraryApi, 'agents' | 'addAgents' | 'removeAgent'> {
  return {
    agents: () =>
      answered(async () => {
        const [{ now }, settings] = await Promise.all([open(), readSettings(db)]);
        const agents = now.registry.agents.filter(yieldsChunks);
        return { agents: agents.map((agent) => rowOf(agent, now.files, settings)), refused: now.refused };
      }),
    addAgents: (files) =>
      answered(async () => {
        const live = await open();
        const own = live.now.registry.agents.filter(({ agentId }) => !live.now.files.has(agentId));
        const names = new Set(files.map(({ file }) => file));
        const kept = (await db.library_agents.toArray()).filter(({ file }) => !names.has(file));
        const refused = [];
        for (const { file, text } of files) {
          // Those that are kept go first: the new one is refused where it has the id of one of them.
          const read = await agentsInOrder([...kept, { file, text }], own, null);
          const why = read.refused.filter((one) => one.file === file);
          refused.push(...why);
          if (why.length > 0) continue;
          kept.push({ file, text });
          await db.library_agents.put({ file, text });
        }
        await live.change({ files: await db.library_agents.toArray() });
        return refused;
      }),
    removeAgent: (file) =>
      answered(async () => {
        await db.library_agents.delete(file);
        await (await open()).change({ files: await db.library_agents.toArray() });
      }),
  };
}

function rowOf(agent: ChunkAgent, files: ReadonlyMap<string, string>, settings: Settings): AgentRow {
  const { agentId, name, description, priority, capabilities, model } = agent;
  const reads = capabilities.map((one) => one.replace(/^ingest:/, ''));
  const facts = { agentId, name, description, priority, reads, file: files.get(agentId) ?? null };
  if (model === undefined) return { ...facts, asks: null, why: null };
  const chosen = modelFor(settings, model);
  if (typeof chosen === 'string') return { ...facts, asks: null, why: chosen };
  if (!mayAskModel(settings)) return { ...facts, asks: null, why: 'your model may not be asked' };
  return { ...facts, asks: [chosen.llm_provider, chosen.llm_model].filter((one) => one !== '').join('/'), why: null };
}
