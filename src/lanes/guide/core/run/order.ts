/** Which tools may be used now, and in which order. */
import type { FaultType } from '../faults/fault.ts';
import { MENDING_TOOLS, type GuideToolName, type GuideView } from './run.types.ts';

/** The types of fault that a tool is about. */
const ABOUT: Readonly<Record<GuideToolName, readonly FaultType[]>> = {
  rebuild_xmltv: ['XMLTV_VALIDATION_ERROR', 'LINEUP_MISMATCH'],
  refresh_plex_metadata: ['METADATA_LOOKUP_FAILURE'],
  reparse_filename_metadata: ['EPISODE_NUM_MISSING', 'MOVIE_YEAR_MISSING', 'PLACEHOLDER_TITLE'],
  re_enrich_metadata: ['METADATA_LOOKUP_FAILURE', 'EPISODE_NUM_MISSING', 'MOVIE_YEAR_MISSING', 'PLACEHOLDER_TITLE'],
  fetch_metadata_logs: [],
};

export const COOLDOWN_MS: Readonly<Record<GuideToolName, number>> = {
  rebuild_xmltv: 30_000,
  refresh_plex_metadata: 30_000,
  reparse_filename_metadata: 30_000,
  re_enrich_metadata: 30_000,
  fetch_metadata_logs: 5_000,
};

export interface Uses {
  /** Used in this run. */
  used: readonly GuideToolName[];
  /** When the last use ended that a tool must not follow too soon, milliseconds since the epoch. */
  ended: Readonly<Partial<Record<GuideToolName, number>>>;
  /** Those whose last use changed nothing: they come last. */
  behind: readonly GuideToolName[];
}

/** Neither used in this run nor cooling. */
export function isReady(tool: GuideToolName, { used, ended }: Uses, now: number): boolean {
  const last = ended[tool];
  return !used.includes(tool) && (last === undefined || now - last >= COOLDOWN_MS[tool]);
}

/** The tools with an open fault of theirs, the first to be used first. */
export function possibleTools({ open }: GuideView, uses: Uses, now: number): GuideToolName[] {
  const possible = MENDING_TOOLS.filter(
    (tool) => isReady(tool, uses, now) && ABOUT[tool].some((type) => open[type] > 0),
  );
  const last = (tool: GuideToolName): boolean => uses.behind.includes(tool);
  return [...possible.filter((tool) => !last(tool)), ...possible.filter(last)];
}
