/** Guides on the catalog server: guides, channels and guarded runs over its database. */
import { DEFAULT_RUN_SETTINGS } from '#lanes/guide/core/run/run.types.ts';
import type { GuideConfig } from '#server/config-file.ts';
import type { LaneServer, ServerDeps } from '#server/lane-server.ts';
import { GuideService } from './guide-service.ts';
import { channelRoutes } from './guides/channels.route.ts';
import { editRoutes } from './guides/edits.route.ts';
import { faultRoutes } from './guides/faults.route.ts';
import { fetchGuideOver, type GuideWire } from './guides/fetch-guide.ts';
import { guideRoutes } from './guides/guides.route.ts';
import { outRoutes } from './out/out.route.ts';
import { runCounters } from './runs/metrics.ts';
import { runRoutes } from './runs/runs.route.ts';
import { DERIVED_TABLES, migrations, TABLES } from './tables.ts';

const AUDIT = [
  'guide.imported',
  'guide.fetched',
  'guide.removed',
  'guide.lineup_put',
  'guide.dismissed',
  'guide.edited',
  'guide.answered',
  'guide.run',
  'guide.undone',
  'guide.key_made',
  'guide.key_revoked',
  'guide.contained',
  'guide.lifted',
  'guide.settings_changed',
  'channel.put',
  'channel.removed',
] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    guide: (typeof AUDIT)[number];
  }
}

const USUAL: GuideConfig = { runs: DEFAULT_RUN_SETTINGS };

export interface GuideServerOptions extends GuideWire {
  /** Told of each service that is made. */
  made?(service: GuideService): void;
  /** It was opened by a server: the cadence is kept. */
  serves?: boolean;
}

export function guideServer(config: GuideConfig, options: GuideServerOptions = {}): LaneServer {
  /** One a server; tests may have several in one process. */
  const services = new WeakMap<ServerDeps['store'], GuideService>();
  const kept: GuideService[] = [];
  const serviceOf = (deps: ServerDeps): GuideService => {
    const known = services.get(deps.store);
    if (known !== undefined) return known;
    const service = new GuideService(deps, config);
    services.set(deps.store, service);
    if (options.serves === true) kept.push(service);
    options.made?.(service);
    return service;
  };
  return {
    id: 'guide',
    tables: TABLES,
    derived: DERIVED_TABLES,
    migrations,
    audit: AUDIT,
    feeds: [],
    imports: [],
    routes(deps) {
      const service = serviceOf(deps);
      const fetchGuide = fetchGuideOver(deps, service, options);
      const parts = { ...deps, service };
      return [
        ...runRoutes(deps, config.runs),
        ...guideRoutes({ ...parts, fetchGuide }),
        ...faultRoutes(parts),
        ...editRoutes(parts),
        ...channelRoutes(parts),
        ...outRoutes(parts, config.streamUrl ?? null),
      ];
    },
    metrics: runCounters,
    recover: (deps) => serviceOf(deps).recover(),
    open: ({ guide }) => Promise.resolve(guideServer(guide, { ...options, serves: true })),
    begin() {
      for (const service of kept) service.begin();
    },
    async close() {
      for (const service of kept) await service.close();
    },
  };
}

export const server = guideServer(USUAL);
