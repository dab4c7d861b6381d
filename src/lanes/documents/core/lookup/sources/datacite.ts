import * as v from 'valibot';
import { datedText, plainText, turnedName, webAddress } from '../plain.ts';
import { escaped, type MetadataSource } from '../source.ts';

const Text = v.fallback(v.optional(v.nullable(v.string()), ''), '');
const AttributesSchema = v.looseObject({
  doi: v.string(),
  titles: v.fallback(v.array(v.looseObject({ title: Text, titleType: Text })), []),
  creators: v.fallback(v.array(v.looseObject({ name: Text, nameType: Text, givenName: Text, familyName: Text })), []),
  publisher: v.fallback(v.union([v.string(), v.looseObject({ name: v.string() })]), ''),
  container: v.fallback(v.looseObject({ title: Text }), { title: '' }),
  publicationYear: v.fallback(v.nullable(v.union([v.number(), v.string()])), null),
  dates: v.fallback(v.array(v.looseObject({ date: Text, dateType: Text })), []),
  url: Text,
});
type Attributes = v.InferOutput<typeof AttributesSchema>;
const AnswerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ data: v.looseObject({ attributes: AttributesSchema }) }),
);

/** The DOI that arXiv gives each paper. */
const ARXIV = '10.48550/arxiv.';

/** The agency of data, theses, reports and of arXiv (api.datacite.org). */
export const datacite: MetadataSource = {
  id: 'datacite',
  host: 'api.datacite.org',
  gapMs: 1_000,
  accept: 'application/vnd.api+json',
  question({ kind, value }) {
    if (kind === 'isbn') return null;
    const doi = kind === 'arxiv' ? `${ARXIV}${value}` : value;
    return { identifier: { kind: 'doi', value: doi }, url: `https://api.datacite.org/dois/${escaped(doi)}` };
  },
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const { attributes } = output.data;
    const doi = attributes.doi.toLowerCase();
    if (doi !== asked.value) return { is: 'another', of: doi };
    const number = doi.startsWith(ARXIV) ? doi.slice(ARXIV.length) : null;
    const { publisher } = attributes;
    const title = attributes.titles.find(({ titleType }) => !titleType) ?? attributes.titles[0];
    return {
      is: 'record',
      record: {
        title: plainText(title?.title ?? ''),
        authors: attributes.creators.map(nameOf).filter((name) => name !== ''),
        publication:
          plainText(attributes.container.title ?? '') ||
          plainText(typeof publisher === 'string' ? publisher : publisher.name),
        ...datedBy(attributes),
        doi,
        isbn: '',
        pdf_url: number === null ? '' : `https://arxiv.org/pdf/${number}`,
        source_url:
          number === null
            ? webAddress(attributes.url ?? '') || `https://doi.org/${doi}`
            : `https://arxiv.org/abs/${number}`,
      },
      notices: [],
    };
  },
};

function nameOf({ name, nameType, givenName, familyName }: Attributes['creators'][number]): string {
  if (familyName) return plainText(`${givenName ?? ''} ${familyName}`);
  return plainText(nameType === 'Organizational' ? (name ?? '') : turnedName(name ?? ''));
}

/** When it came out, as exactly as the year of publication bears it. */
function datedBy({ publicationYear, dates }: Attributes) {
  const year = datedText(String(publicationYear ?? ''));
  const told = ['Issued', 'Available', 'Submitted'].flatMap((type) =>
    dates.filter(({ dateType }) => dateType === type),
  );
  const exact = told.map(({ date }) => datedText(date ?? '')).find((one) => one.year !== null);
  return exact !== undefined && (year.year === null || exact.year === year.year) ? exact : year;
}
