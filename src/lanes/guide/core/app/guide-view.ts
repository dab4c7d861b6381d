/** A guide, or all of them, or one channel, as runs and people see it: counts. */
import { analyzeMetadataIssues, type MetadataIssue, type MetadataMetrics } from '../faults/analyze.ts';
import { FAULT_TYPES, type FaultType } from '../faults/fault.ts';
import type { GuideView } from '../run/run.types.ts';
import type { GuideStore } from '../store/guide-store.ts';
import { dayOf, openFaults, type FaultScope } from './open-faults.ts';
import { SAID_TYPES } from './place.ts';

export interface Counted extends MetadataMetrics {
  counts: Record<FaultType, number>;
  programmes: number;
  /** Programmes with at least one open fault of the first four types. */
  failing: number;
}

export async function countOpen(store: GuideStore, scope: FaultScope): Promise<Counted> {
  const counts = Object.fromEntries(FAULT_TYPES.map((type) => [type, 0])) as Counted['counts'];
  const codes: Partial<Record<FaultType, Record<string, number>>> = {};
  let failing = 0;
  // Of one day of a channel: there may be more of them in what comes next.
  let failed = new Set<string>();
  let day = '';
  for await (const faults of openFaults(store, scope)) {
    const of = faults[0] === undefined ? '' : dayOf(faults[0]);
    if (of !== day) [failing, failed, day] = [failing + failed.size, new Set(), of];
    for (const { type, code, where } of faults) {
      counts[type]++;
      if (SAID_TYPES.includes(type)) failed.add(where);
      if (code === null) continue;
      const of = (codes[type] ??= {});
      of[code] = (of[code] ?? 0) + 1;
    }
  }
  failing += failed.size;
  const failures = await store.lookupFailures();
  const own = failures.filter(
    ({ guide, channel }) => (scope.guide ?? guide) === guide && (scope.channel ?? channel) === channel,
  );
  return {
    counts,
    codes,
    failing,
    lastLookupFailure: own.at(-1)?.code ?? null,
    programmes: await programmesOf(store, scope),
  };
}

async function programmesOf(store: GuideStore, { guide, channel }: FaultScope): Promise<number> {
  let programmes = 0;
  for (const record of await store.guides()) {
    if (guide !== null && record.id !== guide) continue;
    if (channel === null) programmes += record.programmes;
    else for (const one of await store.channels(record.id)) if (one.id === channel) programmes += one.programmes;
  }
  return programmes;
}

const MOST_ERRORS = 500;

/** What a run looks at before each step. `mismatch`: items of a media server differ. */
export async function guideView(store: GuideStore, channel: string | null, mismatch: boolean): Promise<GuideView> {
  const { counts, programmes, failing } = await countOpen(store, { guide: null, channel, days: null });
  const failures = (await store.lookupFailures()).filter((failure) => (channel ?? failure.channel) === failure.channel);
  return {
    ...{ programmes, failing, open: counts, plex_mismatch: mismatch },
    recent_errors: recentErrors(failures.slice(-10).map(({ code, sentence }) => `${code}: ${sentence}`)),
  };
}

/** The last lines, 500 characters at most. */
export const recentErrors = (lines: readonly string[]): string => lines.join('\n').slice(0, MOST_ERRORS);

export const issuesOf = (counted: Counted, channel: string | null): MetadataIssue[] =>
  analyzeMetadataIssues(counted, channel, counted.programmes);
