/** `documents lookup --cases`: recorded conversations with sources, on a clock that only they move. */
import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { failed } from '#core/errors.ts';
import { mulberry32 } from '#core/mulberry32.ts';
import { keyOf, memoryCache, type KeptAnswer } from '#lanes/documents/core/lookup/cache.ts';
import { createLookup, type LookupAnswer } from '#lanes/documents/core/lookup/lookup.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';

const AskSchema = v.union([
  v.object({ doi: v.string() }),
  v.object({ isbn: v.string() }),
  v.object({ arxiv: v.string() }),
]);
const AnswerSchema = v.object({ status: v.number(), headers: v.record(v.string(), v.string()), body: v.string() });
export const CaseSchema = v.looseObject({
  id: v.string(),
  ask: v.array(AskSchema),
  offline: v.boolean(),
  cache: v.array(
    v.looseObject({
      ...AnswerSchema.entries,
      host: v.string(),
      age_days: v.number(),
      doi: v.optional(v.string()),
      isbn: v.optional(v.string()),
      arxiv: v.optional(v.string()),
    }),
  ),
  /** In order for each host; what is not listed is a network that fails. */
  http: v.array(
    v.union([
      v.object({ host: v.string(), ...AnswerSchema.entries }),
      v.looseObject({ host: v.string(), error: v.string() }),
    ]),
  ),
});
export type LookupCase = v.InferOutput<typeof CaseSchema>;

export interface CaseAnswered {
  id: string;
  answers: (Pick<LookupAnswer, 'outcome' | 'source'> & { record: object | null })[];
  /** `at_ms`: since the case began. */
  requests: { host: string; at_ms: number }[];
}

const DAY_MS = 86_400_000;
/** Where every case begins: 2026-01-01. */
const START = 1_767_225_600_000;

export const readLookupCases = (file: string): Promise<LookupCase[]> => readJsonLines(file, CaseSchema);

export async function answerCase({ id, ask, offline, cache, http }: LookupCase): Promise<CaseAnswered> {
  let now = START;
  const requests: CaseAnswered['requests'] = [];
  const given = Map.groupBy(http, ({ host }) => host);
  const kept = cache.map(({ host, age_days, doi, isbn, arxiv, status, headers, body }): [string, KeptAnswer] => [
    keyOf(host, identifierOf(doi === undefined ? (isbn === undefined ? { arxiv: arxiv ?? '' } : { isbn }) : { doi })),
    { status, headers, body, at: START - age_days * DAY_MS },
  ]);
  const lookup = createLookup({
    clock: { now: () => now },
    wait: (ms) => Promise.resolve(void (now += ms)),
    random: mulberry32(1),
    cancel: { aborted: false },
    cache: memoryCache(new Map(kept)),
    offline,
    wire: {
      get(url) {
        const { host } = new URL(url);
        requests.push({ host, at_ms: now - START });
        const answer = given.get(host)?.shift();
        if (answer === undefined || 'error' in answer) return Promise.reject(failed('offline', 'the network is gone.'));
        return Promise.resolve(answer);
      },
    },
  });
  const answers: CaseAnswered['answers'] = [];
  for (const one of ask) {
    const answer = await lookup.find(identifierOf(one));
    answers.push({
      outcome: answer.outcome,
      source: answer.source,
      record: answer.outcome === 'found' ? answer.record : null,
    });
  }
  return { id, answers, requests };
}

function identifierOf(ask: v.InferOutput<typeof AskSchema>): Identifier {
  if ('doi' in ask) return { kind: 'doi', value: ask.doi.toLowerCase() };
  return 'isbn' in ask ? { kind: 'isbn', value: ask.isbn } : { kind: 'arxiv', value: ask.arxiv };
}

/** One answer a line. Throws what the file system throws, and AccessionError `invalid` with the line. */
export async function lookupCases({ cases, out }: { cases: string; out: string }): Promise<number> {
  const rows = await readLookupCases(cases);
  const answers: CaseAnswered[] = [];
  for (const row of rows) answers.push(await answerCase(row));
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return rows.length;
}
