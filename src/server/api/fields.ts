/** Fields and answers that many routes share. */
import * as v from 'valibot';
import type { Field, Reply } from './route.ts';

/** `limit` and `cursor` of a list, as http/page.ts reads them. */
export function paged(usual: number, most: number): Record<'limit' | 'cursor', Field> {
  return {
    limit: {
      description: `Rows of a page, 1 to ${most}; ${usual} when absent.`,
      schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)),
    },
    cursor: { description: '`next_cursor` of the page before.', schema: v.string() },
  };
}

export function json(schema: v.GenericSchema, description: string): Reply {
  return { description, schema };
}
