import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { textChunks } from '#core/ingest/text-chunks.ts';

/** Text and data that have no symbols: nobody needs a model for them. */
const ENDINGS =
  'text txt log rst org adoc tex bib ris json jsonl ndjson json5 jsonc geojson yaml yml toml ini cfg conf properties ' +
  'csv tsv xml css lock srt vtt ics vcf diff patch';

/** Any text, by blank line and heading; it never fails. */
export const textIngester: ChunkAgent = {
  agentId: 'text-ingester',
  name: 'Text ingester',
  description: 'Reads any text, paragraph by paragraph, a heading with what it heads.',
  priority: 50,
  capabilities: ENDINGS.split(' ').map((ending) => `ingest:${ending}` as const),
  tags: ['ingester', 'text'],
  version: '1',
  execute({ properties: { filePath, content, language } }) {
    return outputOf(filePath, textChunks(SourceText.of(content, filePath, language)));
  },
};
