import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { loadOnce } from '#core/load-once.ts';

const load = loadOnce(() => import('./section-chunks.ts'));

export const markdownIngester: ChunkAgent = {
  agentId: 'markdown-ingester',
  name: 'Markdown ingester',
  description: 'Reads Markdown by its headings, sections in sections; front matter and fences are text.',
  priority: 10,
  capabilities: ['ingest:md', 'ingest:markdown', 'ingest:mdown', 'ingest:mkd'],
  tags: ['ingester', 'markdown'],
  version: '1',
  async execute({ properties: { filePath, content, language } }) {
    const { sectionChunks } = await load();
    return outputOf(filePath, sectionChunks(new SourceText(content, filePath, language)));
  },
};
