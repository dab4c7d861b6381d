import { failed } from '#core/errors.ts';
import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { loadOnce } from '#core/load-once.ts';
import type { PdfReader } from './pdf.ts';

const load = loadOnce(() => import('./pdf-chunks.ts'));

/** `reader`: null where the platform has none; the agent says so then. */
export const pdfIngester = (reader: PdfReader | null): ChunkAgent => ({
  agentId: 'pdf-ingester',
  name: 'PDF ingester',
  description:
    'Reads the text of PDFs page by page, column by column, without running heads, and what they say of themselves.',
  priority: 10,
  capabilities: ['ingest:pdf'],
  tags: ['ingester', 'pdf'],
  version: '2',
  readsBytes: true,
  rendersText: true,
  async execute({ properties: { filePath, bytes, language } }, cancel) {
    if (reader === null) throw failed('file_unreadable', 'there is no reader of PDFs here');
    if (bytes === undefined) throw failed('file_unreadable', 'it was not given as bytes');
    const { pages, facts } = await reader.read(bytes, cancel);
    if (pages.length === 0) throw failed('file_damaged', 'it has no pages');
    const { pdfChunks, saidOfItself } = await load();
    const said = facts === null ? {} : saidOfItself(facts);
    const chunks = pdfChunks(pages, filePath, language, said);
    if (chunks.length === 0) {
      const count = pages.length === 1 ? 'its page is' : `its ${pages.length} pages are`;
      throw failed('file_unsupported', `it has no text layer: ${count} a picture, or empty`);
    }
    return outputOf(filePath, chunks);
  },
});
