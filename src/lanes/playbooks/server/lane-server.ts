/** Playbooks on the catalog server: runs are kept here, and done by workers. */
import type { LaneServer } from '#server/lane-server.ts';
import { runClaimRoutes } from './run-claims.route.ts';
import { runRoutes } from './runs.route.ts';
import { migrations, TABLES } from './tables.ts';

const AUDIT = ['playbook.run_begun', 'playbook.run_cancelled', 'playbook.run_resumed', 'playbook.run_removed'] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    playbooks: (typeof AUDIT)[number];
  }
}

export const server: LaneServer = {
  ...{ id: 'playbooks', tables: TABLES, migrations, audit: AUDIT, feeds: [], imports: [] },
  routes: (deps) => [...runRoutes(deps), ...runClaimRoutes(deps)],
  async counts(db) {
    const rows = await db
      .selectFrom('playbook_runs')
      .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
      .groupBy('state')
      .execute();
    return rows.map(({ state, count }) => ({ table: 'playbook_runs', state, count: Number(count) }));
  },
};
