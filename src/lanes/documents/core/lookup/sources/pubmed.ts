import * as v from 'valibot';
import type { DocumentRecord } from '#core/documents/record.ts';
import { datedText, plainText } from '../plain.ts';
import { escaped, type MetadataSource } from '../source.ts';

const Text = v.fallback(v.optional(v.string(), ''), '');
/** Which articles there are. */
const NumbersSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ esearchresult: v.looseObject({ idlist: v.array(v.pipe(v.string(), v.regex(/^\d+$/))) }) }),
);
const ArticleSchema = v.looseObject({
  title: v.string(),
  authors: v.fallback(v.array(v.looseObject({ name: Text, authtype: Text })), []),
  fulljournalname: Text,
  pubdate: Text,
  articleids: v.fallback(v.array(v.looseObject({ idtype: Text, value: Text })), []),
  pubtype: v.fallback(v.array(v.string()), []),
});
type Article = v.InferOutput<typeof ArticleSchema>;
const ArticlesSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ result: v.looseObject({ uids: v.array(v.string()) }) }),
);

const EUTILS = 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils';

const search = (term: string, contact: string | null): string =>
  `${EUTILS}/esearch.fcgi?db=pubmed&retmode=json&retmax=5&tool=accession${contact === null ? '' : `&email=${escaped(contact)}`}&term=${escaped(term)}`;

/** Articles of medicine and life sciences (eutils.ncbi.nlm.nih.gov): asked which there are, then for what they are. */
export const pubmed: MetadataSource = {
  id: 'pubmed',
  host: 'eutils.ncbi.nlm.nih.gov',
  gapMs: 1_000,
  accept: 'application/json',
  question: (identifier, contact) =>
    identifier.kind === 'doi' ? { identifier, url: search(`"${identifier.value}"[doi]`, contact) } : null,
  leadsTo({ body }) {
    const { success, output } = v.safeParse(NumbersSchema, body);
    if (!success || output.esearchresult.idlist.length === 0) return null;
    return `${EUTILS}/esummary.fcgi?db=pubmed&retmode=json&tool=accession&id=${output.esearchresult.idlist.join(',')}`;
  },
  read(answer, asked) {
    const articles = articlesOf(answer.body);
    if (articles === null) return { is: 'garbled' };
    const [first] = articles;
    if (first === undefined) return { is: 'missing' };
    const article = articles.find((one) => doiOf(one) === asked.value);
    if (article === undefined) return { is: 'another', of: doiOf(first) || plainText(first.title) };
    const retracted = article.pubtype.some((type) => /^retracted publication$/i.test(type));
    const notices = retracted ? ['retraction: PubMed says that it is retracted'] : [];
    return { is: 'record', record: recordOf(article), notices };
  },
  byTitle: {
    url: (title, contact) => search(`${title.replaceAll(/["[\]]+/g, ' ')}[title]`, contact),
    hits({ body }) {
      const articles = articlesOf(body);
      if (articles === null) return null;
      return articles.flatMap((article) => {
        const doi = doiOf(article);
        return doi === '' ? [] : [{ identifier: { kind: 'doi' as const, value: doi }, record: recordOf(article) }];
      });
    },
  },
};

/** None where it knows none; null: this is no answer of it. */
function articlesOf(body: string): Article[] | null {
  const none = v.safeParse(NumbersSchema, body);
  if (none.success) return [];
  const { success, output } = v.safeParse(ArticlesSchema, body);
  if (!success) return null;
  return output.result.uids.flatMap((uid) => {
    const article = v.safeParse(ArticleSchema, output.result[uid]);
    return article.success ? [article.output] : [];
  });
}

const doiOf = ({ articleids }: Article): string =>
  articleids.find(({ idtype }) => idtype === 'doi')?.value.toLowerCase() ?? '';

function recordOf(article: Article): DocumentRecord {
  const [year = '', month = '', day = ''] = article.pubdate.split(/\s+/);
  const doi = doiOf(article);
  return {
    title: plainText(article.title).replace(/\.$/, ''),
    authors: article.authors.map(({ name, authtype }) => (/^collective/i.test(authtype) ? name : turned(name))),
    publication: plainText(article.fulljournalname),
    ...datedText(`${day} ${month} ${year}`.trim()),
    doi,
    isbn: '',
    pdf_url: '',
    source_url: doi === '' ? '' : `https://doi.org/${doi}`,
  };
}

/** `Garcia A` as `A Garcia`. */
const turned = (name: string): string => name.replace(/^(.+)\s+(\p{Lu}{1,4})$/u, '$2 $1');
