import type { LaneCore } from '#core/lane-core.ts';
import type { Ingester } from '#core/ingest/ingester.ts';
import { mislabelled, takeByContent } from '#core/ingest/take-by-content.ts';

/** What a batch calls a document that came along. */
export const DOCUMENT = 'document';

/** A PDF is no job: it is kept, and the Documents page finds out what it is. */
const documentIngester: Ingester = {
  agentId: 'document-ingester',
  name: 'Document ingester',
  description: 'Keeps PDFs for the Documents page.',
  priority: 10,
  capabilities: ['ingest:pdf'],
  tags: ['ingester', 'document'],
  ingest(input) {
    if (input.kind === 'pdf')
      return { as: 'companion', kind: DOCUMENT, outcome: 'on the Documents page', keep: 'blob' };
    return takeByContent(input, 'a PDF') ?? mislabelled(input, 'a PDF');
  },
};

/** Papers and books are read by the library's agents; the lane names what they are. */
export const core: LaneCore = { ingesters: [documentIngester] };
