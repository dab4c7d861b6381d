/** Pages of the web as a small library: what of them answers a query becomes evidence, as documents of the library do. */
import { joinBytes } from '#core/ingest/bytes.ts';
import { chunksOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { withAllLines } from '#core/ingest/read-chunks.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { SegmentBuilder } from '../../../index/build-segment.ts';
import { openSegment } from '../../../index/segment.ts';
import { placedIn, placedInOwnText } from '../../../indexing/read-file.ts';
import { htmlIngester } from '../../../html/html-ingester.ts';
import { markdownIngester } from '../../../markdown/markdown-ingester.ts';
import { LibraryIndex } from '../../../search/library-index.ts';
import { textIngester } from '../../../text/text-ingester.ts';
import { retrieveDocs } from '../../evidence/retrieve.ts';
import type { RagDoc } from '../../evidence/evidence.types.ts';
import type { WebText } from '../context.ts';

export interface WebPage extends WebText {
  title: string;
  /** SHA-256 of its text as it came. */
  sha256: string;
}

/** Passages of these pages that fit the query best. */
export async function docsOfPages(pages: readonly WebPage[], query: string, k: number): Promise<RagDoc[]> {
  const builder = new SegmentBuilder();
  for (const page of pages) {
    const { agent, ending, language } = readerOf(page.type);
    const path = `${page.sha256}.${ending}`;
    const output = await agent.execute(
      { prompt: '', properties: { filePath: path, content: page.text, language } },
      { aborted: false },
    );
    const chunks = chunksOf(output);
    const { agentId } = agent;
    builder.add({
      ...{ path, size: page.text.length, modified: 0, sha256: page.sha256, agentId, agentKey: agentId },
      ...{ capability: `ingest:${ending}`, language, encoding: 'utf-8', warnings: [], binary: false },
      ...(agent.rendersText === true
        ? placedInOwnText(chunks)
        : {
            text: page.text,
            chunks: placedIn(page.text, withAllLines(SourceText.of(page.text, path, language), chunks)),
          }),
    });
  }
  if (builder.files === 0) return [];
  const index = new LibraryIndex([
    { id: 'web', segment: openSegment(joinBytes(builder.pack()).buffer), dead: new Set() },
  ]);
  const byHash = new Map(pages.map((page) => [page.sha256, page]));
  return retrieveDocs(index, query, { k }).map((doc) => {
    const page = byHash.get(doc.source_id);
    const { metadata } = doc;
    return {
      ...doc,
      title: page?.title === undefined || page.title === '' ? doc.title : page.title,
      metadata: { ...metadata, path: '', copies: [], ...(page === undefined ? {} : { url: page.url }) },
    };
  });
}

/** Types of answers that are read, with who reads them. */
const READERS: Readonly<Record<string, { agent: ChunkAgent; ending: string; language: string }>> = {
  'text/html': { agent: htmlIngester, ending: 'html', language: 'html' },
  'application/xhtml+xml': { agent: htmlIngester, ending: 'html', language: 'html' },
  'text/markdown': { agent: markdownIngester, ending: 'md', language: 'markdown' },
};
const PLAIN = { agent: textIngester, ending: 'txt', language: 'text' };

const readerOf = (type: string): (typeof READERS)[string] => READERS[type] ?? PLAIN;
