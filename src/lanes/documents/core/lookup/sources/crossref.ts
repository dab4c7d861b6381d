import * as v from 'valibot';
import { escaped, withContact, type MetadataSource } from '../source.ts';
import { noticesOf, recordOf, WorkSchema } from './csl.ts';

const AnswerSchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ message: WorkSchema }));

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
};
