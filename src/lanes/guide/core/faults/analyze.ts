/** What the faults of a guide come to: its figures, and issues by type. Pure; no model has a say. */
import { FAULT_TYPES, type Fault, type FaultType } from './fault.ts';
import type { CheckedGuide } from './check-guide.ts';

export type IssueType = Exclude<FaultType, 'PLACEHOLDER_TITLE'> | 'PLACEHOLDER_TITLE_EXCESS';

export interface MetadataIssue {
  /** Null: all channels. */
  channel_id: string | null;
  issue_type: IssueType;
  confidence: number;
  affected_items_count: number;
  /** The latest look-up failure's code, else the commonest code of its faults. */
  last_error_type: string | null;
  metadata_failure_ratio: number;
}

/** What was counted, of all channels or of one. */
export interface MetadataMetrics {
  /** Faults of each type. */
  counts: Readonly<Partial<Record<FaultType, number>>>;
  /** Of each type, how often each code was met, in the order in which they were. */
  codes: Readonly<Partial<Record<FaultType, Readonly<Record<string, number>>>>>;
  /** Code of the look-up that failed last; null: none did. */
  lastLookupFailure: string | null;
}

/** What of an envelope is about the guide. */
export interface GuideEnvelope {
  metadata_failure_ratio: number;
  placeholder_ratio: number;
  xmltv_validation_errors: number;
  lineup_mismatch_count: number;
}

/** How sure an issue of a type is before its share of the programmes is added. */
const BASE: Readonly<Record<FaultType, number>> = {
  METADATA_LOOKUP_FAILURE: 0.6,
  EPISODE_NUM_MISSING: 0.7,
  MOVIE_YEAR_MISSING: 0.7,
  PLACEHOLDER_TITLE: 0.75,
  XMLTV_VALIDATION_ERROR: 0.95,
  LINEUP_MISMATCH: 0.95,
};
const RATIO_WEIGHT = 0.3;
const SUREST = 0.99;
/** Placeholders are an issue where they are more than so many, or more than so much of all programmes. */
const EXCESS = { count: 10, share: 0.2 };

const ratio = (count: number, programmes: number): number => (programmes === 0 ? 0 : Math.min(1, count / programmes));

/** The issues that counts come to, one a type, in the order of the types. */
export function analyzeMetadataIssues(
  metrics: MetadataMetrics,
  channelId: string | null,
  programmeTotal: number,
): MetadataIssue[] {
  const issues: MetadataIssue[] = [];
  for (const type of FAULT_TYPES) {
    const count = metrics.counts[type] ?? 0;
    if (count === 0) continue;
    if (type === 'PLACEHOLDER_TITLE' && count <= EXCESS.count && count <= EXCESS.share * programmeTotal) continue;
    const share = ratio(count, programmeTotal);
    issues.push({
      channel_id: channelId,
      issue_type: type === 'PLACEHOLDER_TITLE' ? 'PLACEHOLDER_TITLE_EXCESS' : type,
      confidence: Math.min(SUREST, BASE[type] + RATIO_WEIGHT * share),
      affected_items_count: count,
      last_error_type: lastError(metrics, type),
      metadata_failure_ratio: share,
    });
  }
  return issues;
}

function lastError({ codes, lastLookupFailure }: MetadataMetrics, type: FaultType): string | null {
  if (type === 'METADATA_LOOKUP_FAILURE' && lastLookupFailure !== null) return lastLookupFailure;
  let commonest: string | null = null;
  let most = 0;
  for (const [code, count] of Object.entries(codes[type] ?? {}))
    if (count > most) {
      most = count;
      commonest = code;
    }
  return commonest;
}

/** Counts faults; `lastLookupFailure` is the code of the look-up that failed last. */
export function countFaults(faults: readonly Fault[], lastLookupFailure: string | null = null): MetadataMetrics {
  const counts: Partial<Record<FaultType, number>> = {};
  const codes: Partial<Record<FaultType, Record<string, number>>> = {};
  for (const { type, code } of faults) {
    counts[type] = (counts[type] ?? 0) + 1;
    if (code === undefined) continue;
    const of = (codes[type] ??= {});
    of[code] = (of[code] ?? 0) + 1;
  }
  return { counts, codes, lastLookupFailure };
}

/** The figures of a checked guide, with faults of its lineup among `faults`. */
export function envelopeOf(
  { programmes, failing, placeholders }: Pick<CheckedGuide, 'programmes' | 'failing' | 'placeholders'>,
  faults: readonly Fault[],
): GuideEnvelope {
  const { counts } = countFaults(faults);
  return {
    metadata_failure_ratio: ratio(failing, programmes),
    placeholder_ratio: ratio(placeholders, programmes),
    xmltv_validation_errors: counts.XMLTV_VALIDATION_ERROR ?? 0,
    lineup_mismatch_count: counts.LINEUP_MISMATCH ?? 0,
  };
}
