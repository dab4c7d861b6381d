import * as v from 'valibot';
import type { DocumentRecord } from '#core/documents/record.ts';
import { plainText, webAddress } from '../plain.ts';
import { escaped, withContact, type MetadataSource } from '../source.ts';

const Text = v.fallback(v.nullable(v.string()), null);
const WorkSchema = v.looseObject({
  doi: v.nullable(v.string()),
  title: Text,
  publication_year: v.fallback(v.nullable(v.number()), null),
  authorships: v.fallback(v.array(v.looseObject({ author: v.looseObject({ display_name: Text }) })), []),
  primary_location: v.fallback(
    v.nullable(
      v.looseObject({ pdf_url: Text, source: v.fallback(v.nullable(v.looseObject({ display_name: Text })), null) }),
    ),
    null,
  ),
  is_retracted: v.fallback(v.boolean(), false),
});
type Work = v.InferOutput<typeof WorkSchema>;
const AnswerSchema = v.pipe(v.string(), v.parseJson(), WorkSchema);
const FoundSchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ results: v.array(WorkSchema) }));

const WORKS = 'https://api.openalex.org/works';

/** Works of all kinds (api.openalex.org). Its days are often the first of January: years alone are taken. */
export const openalex: MetadataSource = {
  id: 'openalex',
  host: 'api.openalex.org',
  gapMs: 1_000,
  accept: 'application/json',
  question: (identifier, contact) =>
    identifier.kind === 'doi'
      ? { identifier, url: withContact(`${WORKS}/doi:${escaped(identifier.value)}`, contact) }
      : null,
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const record = recordOf(output);
    if (record.doi !== asked.value) return { is: 'another', of: record.doi || record.title };
    return {
      is: 'record',
      record,
      notices: output.is_retracted ? ['retraction: OpenAlex says that it is retracted'] : [],
    };
  },
  byTitle: {
    // Signs of its own language would ask for something else.
    url: (title, contact) =>
      withContact(
        `${WORKS}?filter=title.search:${escaped(title.replaceAll(/[,|!:"()<>]+/g, ' '))}&per-page=5`,
        contact,
      ),
    hits({ body }) {
      const { success, output } = v.safeParse(FoundSchema, body);
      if (!success) return null;
      return output.results.flatMap((work) => {
        const record = recordOf(work);
        return record.doi === '' ? [] : [{ identifier: { kind: 'doi' as const, value: record.doi }, record }];
      });
    },
  },
};

function recordOf({ doi, title, publication_year: year, authorships, primary_location: place }: Work): DocumentRecord {
  const own = (doi ?? '').replace(/^https?:\/\/(?:dx\.)?doi\.org\//i, '').toLowerCase();
  return {
    title: plainText(title ?? ''),
    authors: authorships.map(({ author }) => plainText(author.display_name ?? '')).filter((name) => name !== ''),
    publication: plainText(place?.source?.display_name ?? ''),
    date: year === null ? '' : `${year}`,
    year,
    doi: own,
    isbn: '',
    pdf_url: webAddress(place?.pdf_url ?? ''),
    source_url: own === '' ? '' : `https://doi.org/${own}`,
  };
}
