/** Figures of recorded conversations with metadata sources, each with what is expected of it. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { answerCase, CaseSchema, type CaseAnswered } from '#lanes/documents/cli/lookup-cases.ts';
import { Tally } from './tally.ts';

const ExpectedSchema = v.object({
  answers: v.array(
    v.object({
      outcome: v.string(),
      source: v.nullable(v.string()),
      record: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
  hosts: v.optional(v.array(v.string())),
  most_requests: v.optional(v.number()),
  only_host: v.optional(v.string()),
  /** Milliseconds between a request and the next. */
  least_gap_ms: v.optional(v.array(v.nullable(v.number())), []),
  most_gap_ms: v.optional(v.array(v.number()), []),
});
const RowSchema = v.looseObject({ ...CaseSchema.entries, expect: ExpectedSchema });

/** `lookup.right`. Throws as readJsonLines. */
export async function lookupFigures(file: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const row of await readJsonLines(file, RowSchema))
    tally.count('lookup.right', isAsExpected(await answerCase(row), row.expect));
  return tally.figures();
}

function isAsExpected({ answers, requests }: CaseAnswered, expected: v.InferOutput<typeof ExpectedSchema>): boolean {
  const hosts = requests.map(({ host }) => host);
  const gaps = requests.slice(1).map(({ at_ms }, i) => at_ms - (requests[i]?.at_ms ?? 0));
  const { most_requests: most = Infinity, only_host: only } = expected;
  return (
    expected.answers.every(({ outcome, source, record }, i) => {
      const got = answers[i];
      if (got?.outcome !== outcome || (outcome === 'found' && got.source !== source)) return false;
      const fields: Record<string, unknown> = { ...got.record };
      return Object.entries(record).every(([field, value]) => JSON.stringify(fields[field]) === JSON.stringify(value));
    }) &&
    (expected.hosts === undefined || JSON.stringify(hosts) === JSON.stringify(expected.hosts)) &&
    hosts.length <= most &&
    (only === undefined || hosts.every((host) => host === only)) &&
    expected.least_gap_ms.every((least, i) => least === null || (gaps[i] ?? 0) >= least * 0.999) &&
    expected.most_gap_ms.every((largest, i) => (gaps[i] ?? 0) <= largest)
  );
}
