import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { LLM_CODE_INGESTER, modelIngester } from '#lanes/library/core/model/model-ingester.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';

/** A file with what a model answered about it. `finish`: `stop` where it ended by itself. */
const ReplySchema = v.object({
  id: v.string(),
  path: v.string(),
  text: v.string(),
  reply: v.string(),
  finish: v.string(),
});

/**
 * `ingest --replies`: what is kept of a model's replies, as if it had just been asked, before every other agent. Throws
 * what the file system throws, and AccessionError `invalid` with the line.
 */
export async function ingestReplies(options: {
  replies: string;
  out: string;
}): Promise<{ files: number; failed: number }> {
  const rows = await readJsonLines(options.replies, ReplySchema);
  const others = libraryAgents({ syntax: nodeParser() }).filter(({ agentId }) => agentId !== LLM_CODE_INGESTER.agentId);
  const answers: string[] = [];
  let failed = 0;
  for (const { id, path, text, reply, finish } of rows) {
    let refused = 0;
    const agent = modelIngester(LLM_CODE_INGESTER, () => Promise.resolve({ text: reply, finish }));
    const first: typeof agent = {
      ...agent,
      priority: 0,
      capabilities: [...agent.capabilities, `ingest:${path.slice(path.lastIndexOf('.') + 1)}`],
      async execute(context, cancel) {
        const output = await agent.execute(context, cancel);
        refused = Number(output.artifacts['refused'] ?? 0);
        return output;
      },
    };
    const registry = ingesterRegistry([{ ingesters: [first, ...others] }]);
    const { agentId, chunks } = await readChunks(registry, { path, content: text }, readingPorts);
    const agent_ok = agentId === agent.agentId;
    if (!agent_ok) failed += 1;
    answers.push(`${JSON.stringify({ id, agent_ok, chunks, refused })}\n`);
  }
  await writeFile(options.out, answers.join(''));
  return { files: rows.length, failed };
}
