import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { loadOnce } from '#core/load-once.ts';

const load = loadOnce(() => import('./html-chunks.ts'));

export const htmlIngester: ChunkAgent = {
  agentId: 'html-ingester',
  name: 'HTML ingester',
  description: 'Reads what a person sees of a page: no scripts and nothing hidden, tables row by row.',
  priority: 10,
  capabilities: ['ingest:html', 'ingest:htm', 'ingest:xhtml'],
  tags: ['ingester', 'html'],
  version: '2',
  rendersText: true,
  async execute({ properties: { filePath, content, language } }) {
    const { htmlChunks } = await load();
    return outputOf(filePath, htmlChunks(new SourceText(content, filePath, language)));
  },
};
