/** The pipeline of one tab: lanes, blobs, the agent's model, sync, and the work on uploads, put together. */
import { randomIds as ids } from '#core/ids.ts';
import type { LaneCore } from '#core/lane-core.ts';
import { parseAgentState } from '#core/run/agent-state.ts';
import { laneFinder } from '#core/run/ports.ts';
import { createUploader, publishPorts } from '../../http/upload.ts';
import { openStorage } from '../blobs/storage.ts';
import { openBlobStore } from '../blobs/blob-store.ts';
import type { AccessionDb } from '../db.ts';
import { pageIsGone } from '../end-with-page.ts';
import type { LaneBrowser } from '../lane-browser.ts';
import { spawnModel as openModel } from '../llm/spawn-model.ts';
import { AGENT_ROW } from '../meta.ts';
import { metaState } from '../meta-state.ts';
import { progressSender } from '../progress.ts';
import { readSettings } from '../settings.ts';
import { catalogServer, catalogSocket } from '../sync/catalog-server.ts';
import { SyncRunner } from '../sync/sync-runner.ts';
import { watchSync } from '../sync/watch-sync.ts';
import { systemClock as clock, systemTimers as timers } from '../system.ts';
import { browserLimits, openUploads } from '../uploads.ts';
import { openLanes } from './open-lanes.ts';
import { PipelineService } from './service.ts';
import type { Agent } from '#core/run/agent.ts';
import { createModelOpener, type ModelOpenerDeps } from '../llm/model-opener.ts';
import { recordedModel } from '../llm/recorded-model.ts';

/** The model that the settings name; where none is set, *Try it* has recorded answers. `random`: 0 <= x < 1. */
export function createAgent(deps: ModelOpenerDeps & { random(): number }): Agent {
  const models = createModelOpener(deps);
  return {
    seed: () => Math.floor(deps.random() * 2 ** 31),
    modelNamed: (named) => models.modelNamed(named),
    model: async (batch) => (await models.model()) ?? (batch.demo ? recordedModel() : null),
  };
}

/** Of this many files several are probed, and at most so many converted, at once. */
const PROBES = 2;
const MOST_CONVERSIONS = 4;

/** `network`: gets `online` and `offline`. */
export async function openPipeline(
  db: AccessionDb,
  lanes: readonly (readonly [id: string, lane: LaneBrowser])[],
  cores: ReadonlyMap<string, LaneCore>,
  network: EventTarget,
): Promise<{ service: PipelineService; apis: ReadonlyMap<string, object> }> {
  const channel = new BroadcastChannel('accession');
  const { http, client } = await catalogServer(db);
  const blobs = await openBlobStore(db);
  const settings = () => readSettings(db);
  const common = { db, clock, ids, timers, random: Math.random };
  const onError = (error: unknown): void => {
    if (!pageIsGone(db)) console.error(error);
  };
  const opened = await openLanes(lanes, {
    ...{ ...common, blobs, server: http, settings },
    wantPull: () => sync.wantReplica(),
    wake: () => service.wakeAll(),
  });
  const { store, parts, replicas } = opened;
  const runs = opened.runsAt({ store, blobs, settings });
  const lane = laneFinder(runs);
  const storage = openStorage({ db, blobs, store, clock, ids, timers });
  const agent = createAgent({ ...common, server: http, openModel });
  const report = progressSender().shares;
  const uploads = openUploads({
    ...{ ...common, ...browserLimits, blobs, http, client, agent, report, onError },
    ...{ lanes: opened, cores, name: `browser ${ids.next()}` },
  });
  const sync: SyncRunner = new SyncRunner({
    ...{ ...common, lane, client, replicas, network, token: http.token },
    publish: publishPorts(client, createUploader({ ...http, blobs })),
    socket: catalogSocket(client, common, uploads.hear),
    onPublished(jobId) {
      for (const part of parts.values()) part.onPublished?.(jobId);
      storage.published();
    },
    onRemoteAnswer: (...answer) => service.takeRemoteAnswer(...answer),
    onRemoteCancel: (jobIds) => service.takeRemoteCancel(jobIds),
    async onLost(jobIds) {
      for (const part of parts.values()) await part.onLost?.(jobIds);
    },
  });
  const service: PipelineService = new PipelineService({
    ...{ ...common, blobs, store, laneRows: opened.rows, lanes: runs, lane, agent, sync, uploads, report, onError },
    agentState: metaState(db, AGENT_ROW, parseAgentState),
    parallel: { probes: PROBES, conversions: Math.min(navigator.hardwareConcurrency || 2, MOST_CONVERSIONS) },
    onLocalFailure: ({ code }) => (code === 'offline' ? 'wait' : 'fail'),
    later: (run) => void timers.set(run, 60_000),
    ...{ user: 'me', free: storage.free, findLoss: storage.findLoss, storage: storage.report },
    announce: () => channel.postMessage({ type: 'poke' }),
  });
  const poke = (): void => void service.poke();
  channel.addEventListener('message', poke);
  watchSync(db, { replica: poke, settings: poke, online: () => service.online() });
  const apis = [...parts].flatMap(([id, { api }]) => (api === undefined ? [] : [[id, api] as const]));
  return { service, apis: new Map(apis) };
}
