/** Words of the guarded run: what it is about, what it sees, what it leaves behind. */
import { FAULT_TYPES, type FaultType } from '../faults/fault.ts';

/** In the order in which they are used. */
export const MENDING_TOOLS = [
  'rebuild_xmltv',
  'refresh_plex_metadata',
  'reparse_filename_metadata',
  're_enrich_metadata',
] as const;
export const GUIDE_TOOLS = [...MENDING_TOOLS, 'fetch_metadata_logs'] as const;
export type GuideToolName = (typeof GUIDE_TOOLS)[number];

/** What set it off. */
export type How = 'demand' | 'ask' | 'import' | 'schedule';

/** A guide, or one channel of it, as a run sees it: counts, never its text. */
export interface GuideView {
  programmes: number;
  /** Programmes with at least one fault of the first four types. */
  failing: number;
  /** Open faults. */
  open: Readonly<Record<FaultType, number>>;
  /** Title, season, episode or year of a media server's item differ from the guide's. */
  plex_mismatch: boolean;
  /** Of look-ups, without a guide's text; 500 characters at most. */
  recent_errors: string;
}

/** What the guards look at, besides the circuit, which the memory of runs keeps. */
export interface Signs {
  containment: boolean;
  /** When workers were begun again, milliseconds since the epoch; older than a minute need not be there. */
  restarts: readonly number[];
  /** Busy workers, and how many there are; null: there is no pool. */
  pool: readonly [number, number] | null;
}

export type SkipReason = 'disabled' | 'recursion' | 'active' | 'suspended' | 'cooldown';
export type GuardReason = 'containment' | 'velocity' | 'pool' | 'circuit';
export type EndReason = GuardReason | 'interrupted' | 'error' | null;

export interface Mend {
  where: string;
  field: string;
  before: string | null;
  after: string;
  source: string;
  reasons: string[];
}
export interface SkippedMend {
  where: string;
  field: string;
  why: string;
}
/** What a tool answers. */
export interface ToolReport {
  changed: number;
  diff: Mend[];
  skipped: SkippedMend[];
}

export interface RunStep {
  tool: GuideToolName;
  /** Who chose it. */
  by: 'order' | 'model';
  /** The model's reason. */
  why: string;
  began_at: number;
  ended_at: number;
  report: ToolReport;
  /** What went wrong, one sentence. */
  failure: string | null;
}

/** One sentence a person gets: why the guide is not mended by itself. */
export interface Escalation {
  run: string;
  channel: string | null;
  at: number;
  reason: GuardReason | 'ratio';
  number: number;
  limit: number;
}

/** What stays of a trigger. */
export type RunRecord = {
  id: string;
  at: number;
  how: How;
  /** null: the whole. */
  channel: string | null;
} & (
  | { outcome: 'skipped'; reason: SkipReason }
  | {
      outcome: 'success' | 'failure' | 'aborted';
      reason: EndReason;
      ended_at: number;
      steps: RunStep[];
      escalated: boolean;
      ratio_before: number;
      ratio_after: number;
    }
);

export interface RunSettings {
  metadata_self_resolution_enabled: boolean;
  bounded_agent_enabled: boolean;
  metadata_self_resolution_cooldown_sec: number;
}

export const DEFAULT_RUN_SETTINGS: RunSettings = {
  metadata_self_resolution_enabled: false,
  bounded_agent_enabled: true,
  metadata_self_resolution_cooldown_sec: 300,
};

/** What is mended where a programme has at least one fault of the first four types. */
export function ratioOf({ failing, programmes }: Pick<GuideView, 'failing' | 'programmes'>): number {
  return programmes > 0 ? failing / programmes : 0;
}

export function openFaults({ open }: GuideView): number {
  return FAULT_TYPES.reduce((sum, type) => sum + open[type], 0);
}
