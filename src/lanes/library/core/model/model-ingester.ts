/** Agents that ask a model what is in a file. */
import { failed } from '#core/errors.ts';
import { outputOf, type ChunkAgent, type ModelWish } from '#core/ingest/agent.ts';
import type { AgentFacts } from '#core/ingest/ingester.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import type { Cancel } from '#core/ports.ts';
import { loadOnce } from '#core/load-once.ts';
import type { ModelReply } from './model-reply.ts';

const load = loadOnce(() => Promise.all([import('./model-prompt.ts'), import('./model-reply.ts')]));

export interface ModelQuestion {
  system: string;
  user: string;
  wish: ModelWish;
}

/** Asks the model that the person has set up. Throws AccessionError: `model_*`, and `model_missing` where there is none. */
export interface AskModel {
  (question: ModelQuestion, cancel: Cancel): Promise<ModelReply>;
  /** Provider and name of the model that answers a wish; null where what it wishes is not set up. */
  nameOf?(wish: ModelWish): string | null;
}

/** A `null` where the person has set up no model. */
export type ModelAsker = AskModel | null;

export interface ModelAgent extends AgentFacts {
  version: string;
  model: ModelWish;
  systemPrompt: string;
}

const SYSTEM = `You are a code parser. Given source code, identify and extract semantic chunks.

For each chunk, output a JSON object with:
- text: The code content
- chunkType: "class", "function", "method", "interface", "type", etc.
- symbolName: The name of the symbol
- startLine/endLine: Line numbers

Output format: JSON array of chunks.

Focus on top-level declarations. Include docstrings/comments with their symbols.`;

/** Any code, where nobody knows the language better. */
export const LLM_CODE_INGESTER: ModelAgent = {
  agentId: 'llm-code-ingester',
  name: 'Model code ingester',
  description: 'Asks the model that you have set up what is in a file; what it answers is checked against the file.',
  priority: 20,
  capabilities: ['ingest:*'],
  tags: ['ingester', 'model'],
  version: '1',
  model: { temperature: 0.1 },
  systemPrompt: SYSTEM,
};

/** An agent over a model. The answer's count of refused chunks is in the artifact `refused`. */
export function modelIngester({ systemPrompt, ...agent }: ModelAgent, ask: ModelAsker): ChunkAgent {
  const asks = ask?.nameOf?.(agent.model) ?? null;
  return {
    ...agent,
    ...(asks === null ? {} : { asks }),
    async execute({ properties: { filePath, content, language } }, cancel) {
      if (ask === null) throw failed('model_missing', 'no model is set');
      if (content.trim() === '') throw failed('file_unsupported', 'it is no text');
      const [{ promptOf }, { keepReply }] = await load();
      const source = new SourceText(content, filePath, language);
      const reply = await ask({ ...promptOf(systemPrompt, source), wish: agent.model }, cancel);
      const { chunks, refused } = keepReply(source, reply);
      const warnings =
        refused === 0 ? [] : [`${agent.agentId}: ${refused} of its chunks were not in the file, and are left out.`];
      const output = outputOf(filePath, chunks, warnings);
      return { ...output, artifacts: { ...output.artifacts, refused: String(refused) } };
    },
  };
}
