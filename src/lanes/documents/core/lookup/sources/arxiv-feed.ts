import { Parser } from 'htmlparser2';
import { datedText, plainText, webAddress } from '../plain.ts';
import { escaped, type MetadataSource } from '../source.ts';

/** Papers by arXiv's own feed (export.arxiv.org). Browsers cannot read it. */
export const arxivFeed: MetadataSource = {
  id: 'arxiv',
  host: 'export.arxiv.org',
  gapMs: 3_000,
  accept: 'application/atom+xml',
  question: (identifier) =>
    identifier.kind === 'arxiv'
      ? { identifier, url: `https://export.arxiv.org/api/query?id_list=${escaped(identifier.value)}&max_results=1` }
      : null,
  read({ body }, asked) {
    const feed = readFeed(body);
    if (feed === null) return { is: 'garbled' };
    const number = /arxiv\.org\/abs\/(.+?)(?:v\d+)?$/i.exec(feed.id)?.[1]?.toLowerCase();
    // An unknown number is an entry whose id leads to the page of errors, or none.
    if (number === undefined) return { is: 'missing' };
    if (number !== asked.value) return { is: 'another', of: number };
    return {
      is: 'record',
      record: {
        title: plainText(feed.title),
        authors: feed.names.map(plainText).filter((name) => name !== ''),
        publication: 'arXiv',
        ...datedText(feed.published),
        doi: `10.48550/arxiv.${number}`,
        isbn: '',
        pdf_url: `https://arxiv.org/pdf/${number}`,
        source_url: webAddress(`https://arxiv.org/abs/${number}`),
      },
      notices: publishedAs(feed),
    };
  },
};

/** Preprint and published are two versions: the other one is told, never put in its place. */
function publishedAs({ journal, doi }: Entry): string[] {
  const as = [plainText(journal), doi.trim().toLowerCase()].filter((text) => text !== '');
  return as.length === 0 ? [] : [`published: ${as.join(', ')}`];
}

interface Entry {
  id: string;
  title: string;
  published: string;
  journal: string;
  doi: string;
  names: string[];
}

/** The first entry; null where it is no whole feed. */
function readFeed(xml: string): Entry | null {
  const entry: Entry = { id: '', title: '', published: '', journal: '', doi: '', names: [] };
  const open: string[] = [];
  let entries = 0;
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name);
        if (name === 'entry') entries += 1;
        if (name === 'name' && open.includes('author')) entry.names.push('');
      },
      ontext(text) {
        if (entries !== 1 || !open.includes('entry')) return;
        switch (open.at(-1)) {
          case 'id':
            entry.id += text.trim();
            break;
          case 'title':
          case 'published':
            entry[open.at(-1) === 'title' ? 'title' : 'published'] += text;
            break;
          case 'arxiv:journal_ref':
            entry.journal += text;
            break;
          case 'arxiv:doi':
            entry.doi += text;
            break;
          case 'name':
            entry.names.push(`${entry.names.pop() ?? ''}${text}`);
            break;
          default:
        }
      },
      onclosetag(name, isImplied) {
        open.pop();
        if (name === 'feed' && !isImplied) isWhole = true;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return isWhole ? entry : null;
}
