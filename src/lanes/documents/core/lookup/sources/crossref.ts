import * as v from 'valibot';
import { escaped, withContact, type MetadataSource } from '../source.ts';
import { noticesOf, recordOf, WorkSchema } from './csl.ts';

const AnswerSchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ message: WorkSchema }));

const FoundSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ message: v.looseObject({ items: v.array(WorkSchema) }) }),
);
const FIELDS = 'DOI,type,title,subtitle,author,container-title,publisher,issued,ISBN';

/** The agency of most publishers (api.crossref.org). */
export const crossref: MetadataSource = {
  id: 'crossref',
  host: 'api.crossref.org',
  gapMs: 200,
  accept: 'application/json',
  question: (identifier, contact) =>
    identifier.kind === 'doi'
      ? { identifier, url: withContact(`https://api.crossref.org/works/${escaped(identifier.value)}`, contact) }
      : null,
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const record = recordOf(output.message);
    if (record.doi !== asked.value) return { is: 'another', of: record.doi };
    return { is: 'record', record, notices: noticesOf(output.message) };
  },
  byTitle: {
    url: (title, contact) =>
      withContact(
        `https://api.crossref.org/works?query.bibliographic=${escaped(title)}&rows=5&select=${FIELDS}`,
        contact,
      ),
    hits({ body }) {
      const { success, output } = v.safeParse(FoundSchema, body);
      if (!success) return null;
      const records = output.message.items.map(recordOf);
      return records.map((record) => ({ identifier: { kind: 'doi', value: record.doi }, record }));
    },
  },
};
