import BookOpenText from '@lucide/svelte/icons/book-open-text';
import { db } from '#ui/client/db.ts';
import type { Hit, LaneSearch } from '#ui/lane-ui.ts';
import { hasWords } from '#ui/list/has-words.ts';
import type { DocumentRecord } from '../client.ts';
import { byLine } from './document-words.ts';
import { desk } from './documents-desk.svelte.ts';

const MOST = 6;
/** Plans that are looked through, the last ones. */
const PLANS = 200;

type Named = Pick<DocumentRecord, 'title' | 'authors' | 'publication' | 'year' | 'doi' | 'isbn'> & { filename: string };

const hit = (id: string, record: Named): Hit => ({
  key: `document ${id}`,
  label: record.title || record.filename,
  detail: byLine(record),
  path: 'documents',
});

/** Documents whose record was written here, or is on the catalog server; the latter open in the reader. */
async function find(words: string): Promise<Hit[]> {
  const has = hasWords(words);
  const fits = ({ title, filename, authors, publication, year, doi, isbn }: Named): boolean =>
    has([title, filename, ...authors, publication, year === null ? '' : `${year}`, doi, isbn]);
  const hits = new Map<string, Hit>();
  const shared = db.shared_documents.orderBy('approved_at').reverse();
  for (const record of await shared.filter(fits).limit(MOST).toArray()) {
    const { content, filename } = record;
    const opened = content === null ? {} : { run: () => desk.openShared(filename, content.sha256) };
    hits.set(record.id, { ...hit(record.id, record), ...opened });
  }
  const plans = await db.document_plans.orderBy('at').reverse().limit(PLANS).toArray();
  for (const { status, plan } of plans)
    for (const { id, action, record } of status === 'completed' ? plan.files : [])
      if (action === 'write' && hits.size < MOST && !hits.has(id) && fits(record)) hits.set(id, hit(id, record));
  return [...hits.values()];
}

export const searches: readonly LaneSearch[] = [{ heading: 'Documents', icon: BookOpenText, find }];
