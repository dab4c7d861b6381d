import * as v from 'valibot';
import { escaped, type MetadataSource } from '../source.ts';
import { noticesOf, recordOf, WorkSchema } from './csl.ts';

const AnswerSchema = v.pipe(v.string(), v.parseJson(), WorkSchema);

/** The resolver, which knows every agency (doi.org, content negotiation). */
export const doiOrg: MetadataSource = {
  id: 'doi.org',
  host: 'doi.org',
  gapMs: 1_000,
  accept: 'application/vnd.citationstyles.csl+json',
  saysByPage: true,
  question: (identifier) =>
    identifier.kind === 'doi' ? { identifier, url: `https://doi.org/${escaped(identifier.value)}` } : null,
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const record = recordOf(output);
    return record.doi === asked.value
      ? { is: 'record', record, notices: noticesOf(output) }
      : { is: 'another', of: record.doi };
  },
};
