/** Guides on the catalog server: guarded runs over its database. */
import { runCounters } from './runs/metrics.ts';
import type { LaneServer } from '#server/lane-server.ts';
import type { GuideConfig } from '#server/config-file.ts';
import { DEFAULT_RUN_SETTINGS } from '#lanes/guide/core/run/run.types.ts';
import { runRoutes } from './runs/runs.route.ts';
import { DERIVED_TABLES, migrations, TABLES } from './tables.ts';

const AUDIT = ['guide.contained', 'guide.lifted', 'guide.settings_changed'] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    guide: (typeof AUDIT)[number];
  }
}

const USUAL: GuideConfig = { runs: DEFAULT_RUN_SETTINGS };

export function guideServer(config: GuideConfig): LaneServer {
  return {
    id: 'guide',
    tables: TABLES,
    derived: DERIVED_TABLES,
    migrations,
    audit: AUDIT,
    feeds: [],
    imports: [],
    routes: (deps) => runRoutes(deps, config.runs),
    metrics: runCounters,
    open: ({ guide }) => Promise.resolve(guideServer(guide)),
  };
}

export const server = guideServer(USUAL);
