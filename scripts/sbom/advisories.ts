/**
 * Known vulnerabilities of pinned packages, out of a copy of the OSV database (https://osv.dev, the form of its npm export:
 * a JSON file an advisory). Nothing is asked of anybody.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Part } from './lock.ts';

const EventSchema = v.object({
  introduced: v.optional(v.string()),
  fixed: v.optional(v.string()),
  last_affected: v.optional(v.string()),
});
const AdvisorySchema = v.object({
  id: v.string(),
  summary: v.optional(v.string(), ''),
  withdrawn: v.optional(v.string()),
  affected: v.optional(
    v.array(
      v.object({
        package: v.optional(v.object({ ecosystem: v.string(), name: v.string() })),
        ranges: v.optional(v.array(v.object({ type: v.string(), events: v.array(EventSchema) })), []),
        versions: v.optional(v.array(v.string()), []),
      }),
    ),
    [],
  ),
});
export type Advisory = v.InferOutput<typeof AdvisorySchema>;

export interface Finding {
  part: Part;
  id: string;
  summary: string;
}

/** Reads every advisory below the directory. Throws Error where there is none: an empty copy would find nothing. */
export async function readAdvisories(directory: string): Promise<Advisory[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.json'));
  const found: Advisory[] = [];
  for (const name of names.sort()) {
    const read = v.safeParse(AdvisorySchema, JSON.parse(await readFile(join(directory, name), 'utf8')));
    if (read.success) found.push(read.output);
  }
  if (found.length === 0) throw new Error(`There is no advisory of OSV below "${directory}".`);
  return found;
}

/** What is known against these packages. */
export function findingsOf(parts: readonly Part[], advisories: readonly Advisory[]): Finding[] {
  const byName = Map.groupBy(parts, ({ name }) => name);
  return advisories.flatMap(({ id, summary, withdrawn, affected }) => {
    if (withdrawn !== undefined) return [];
    const hit = affected.flatMap(({ package: of, ranges, versions }) => {
      if (of?.ecosystem !== 'npm') return [];
      return (byName.get(of.name) ?? []).filter(
        ({ version }) =>
          versions.includes(version) || ranges.some(({ type, events }) => type !== 'GIT' && isWithin(version, events)),
      );
    });
    return [...new Set(hit)].map((part) => ({ part, id, summary }));
  });
}

/** Whether a version is between what introduced it and what ended it. */
function isWithin(version: string, events: Advisory['affected'][number]['ranges'][number]['events']): boolean {
  const at = (event: (typeof events)[number]): string => event.introduced ?? event.fixed ?? event.last_affected ?? '0';
  let within = false;
  for (const event of events.toSorted((a, b) => compareVersions(at(a), at(b)))) {
    const order = compareVersions(version, at(event));
    if (event.introduced !== undefined && order >= 0) within = true;
    if (event.fixed !== undefined && order >= 0) within = false;
    if (event.last_affected !== undefined && order > 0) within = false;
  }
  return within;
}

/** Semantic versions in their order: below 0, 0 or above 0. Build metadata does not count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [splitVersion(a), splitVersion(b)];
  for (let at = 0; at < 3; at += 1) {
    const order = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (order !== 0) return order;
  }
  if (left.before === null || right.before === null)
    return Number(left.before === null) - Number(right.before === null);
  for (let at = 0; at < Math.max(left.before.length, right.before.length); at += 1) {
    const order = compareParts(left.before[at], right.before[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** `1.2.3-rc.1+build` -> [1, 2, 3] and what stands before the release. */
function splitVersion(version: string): { numbers: number[]; before: string[] | null } {
  const [plain = ''] = version.replace(/^v/, '').split('+');
  const dash = plain.indexOf('-');
  const numbers = (dash < 0 ? plain : plain.slice(0, dash)).split('.').map(Number);
  return { numbers, before: dash < 0 ? null : plain.slice(dash + 1).split('.') };
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numberA && numberB) return Number(a) - Number(b);
  if (numberA !== numberB) return numberA ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
