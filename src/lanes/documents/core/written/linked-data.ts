/** Works in JSON-LD (schema.org), as pages of publishers carry it. */
import * as v from 'valibot';
import type { Said } from './said.ts';

const JsonSchema = v.pipe(v.string(), v.parseJson());
const WORK = /^(?:ScholarlyArticle|MedicalScholarlyArticle|Article|Book|Chapter|Thesis|Report|TechArticle)$/;

type Fact = Pick<Said, 'name' | 'value'>;

/** None where it is no JSON, or is of nothing that is a work. */
export function saidByLinkedData(text: string): Fact[] {
  const { success, output } = v.safeParse(JsonSchema, text);
  return success ? works(output).flatMap(factsOf) : [];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : isRecord(value) ? textOf(value['name'] ?? value['value'] ?? '') : '';

/** At the top, in a list or in `@graph`; what they cite or are part of is not looked into. */
function works(value: unknown): Record<string, unknown>[] {
  const all = listOf(value).flatMap((one) => (isRecord(one) ? [one, ...listOf(one['@graph']).filter(isRecord)] : []));
  return all.filter((one) => listOf(one['@type']).some((type) => typeof type === 'string' && WORK.test(type)));
}

function factsOf(work: Record<string, unknown>): Fact[] {
  const ids = ['@id', 'identifier', 'sameAs', 'url'].flatMap((name) => listOf(work[name]).map(textOf));
  return [
    ...ids.filter((id) => /10\.\d{4,9}\//.test(id)).map((value) => ({ name: 'doi' as const, value })),
    ...listOf(work['isbn']).map((value) => ({ name: 'isbn' as const, value: textOf(value) })),
    { name: 'title', value: textOf(work['headline'] ?? work['name']) },
    ...listOf(work['author']).map((value) => ({ name: 'author' as const, value: textOf(value) })),
    { name: 'publication', value: textOf(work['isPartOf']) },
    { name: 'date', value: textOf(work['datePublished']) },
  ];
}
