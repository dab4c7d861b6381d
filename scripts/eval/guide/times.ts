import { readTime } from '#lanes/guide/core/times/read-time.ts';
import { Zone } from '#lanes/guide/core/times/local-time.ts';
import * as v from 'valibot';
import type { Part } from './part.types.ts';

const TimeCase = v.object({ id: v.string(), raw: v.string(), zone: v.nullable(v.string()) });

/** Times as they are written, to instants. */
export const times: Part = {
  cases: 'times.jsonl',
  answers: 'times.jsonl',
  answer: (cases) =>
    v.parse(v.array(TimeCase), cases).map(({ id, raw, zone }) => {
      const { instant, code } = readTime(raw, zone === null ? null : new Zone(zone));
      return { id, instant: instant === null ? null : new Date(instant).toISOString().replace('.000Z', 'Z'), code };
    }),
};
