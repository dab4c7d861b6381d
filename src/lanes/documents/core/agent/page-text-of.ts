/** The text of a document's pages for the agent, read when it asks for one. */
import { pageText } from '#core/ingest/page-text.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import { isPdfPath } from '../written/written-file.ts';

/** Null: there is no such page. What is no PDF is one page. */
export function pageTextOf(
  path: string,
  bytes: () => Promise<Uint8Array>,
  reader: PdfText,
  decode: (bytes: Uint8Array) => string,
): (page: number) => Promise<string | null> {
  return async (page) => {
    if (!isPdfPath(path)) return page === 1 ? decode(await bytes()) : null;
    const pdf = await reader.open(await bytes());
    try {
      return page > pdf.pages ? null : pageText(await pdf.page(page)).text;
    } finally {
      await pdf.close();
    }
  };
}
