/** Builds the adapters of the pipeline and shows its door (PipelineApi) to the page. */
import { expose } from 'comlink';
import { createAgent } from '#adapters/browser/agent.ts';
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import { IndexSource } from '#adapters/browser/catalog-index.ts';
import { catalogServer, catalogSocket } from '#adapters/browser/catalog-server.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { lateDoor } from '#adapters/browser/late-door.ts';
import { PipelineService } from '#adapters/browser/pipeline/service.ts';
import { syncEvents } from '#adapters/browser/pipeline/sync-events.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { spawnTranscoder as spawn, tellShares } from '#adapters/browser/spawn-transcoder.ts';
import { openStorage } from '#adapters/browser/collector.ts';
import { createSyncRunner } from '#adapters/browser/sync-runner.ts';
import { watchSync } from '#adapters/browser/watch-sync.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { browserLimits, openUploads } from '#adapters/browser/uploads.ts';
import { createUploader } from '#adapters/http/upload.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import { spawnModel as openModel } from '#adapters/models/spawn-model.ts';
import { randomIds as ids } from '#core/ids.ts';

async function open(): Promise<PipelineService> {
  const db = new AccessionDb();
  const channel = new BroadcastChannel('accession');
  const { http, client } = await catalogServer(db);
  const blobs = await openBlobStore(db);
  const index = new IndexSource(db);
  const context = { db, clock, ids };
  const common = { ...context, timers, random: Math.random };
  const storage = openStorage(db, blobs, common);
  const agent = createAgent({ ...common, server: http, index: () => index.get(), openModel });
  const onError = (error: unknown): void => console.error(error);
  const work = { blobs, spawn, agent, onError, probe: probeBlob, tell: tellShares(), index: () => index.get() };
  const uploads = openUploads({ ...common, ...work, ...browserLimits, http, client, name: `browser ${ids.next()}` });
  const sync = createSyncRunner({
    ...common,
    client,
    token: http.token,
    network: self,
    socket: catalogSocket(client, common, uploads.hear),
    upload: createUploader({ ...http, blobs }),
    ...syncEvents(context, (...answer) => service.answeredElsewhere(...answer), storage.published),
  });
  const service: PipelineService = new PipelineService({
    ...{ ...context, ...work, sync, uploads, user: 'me', free: storage.free, storage: storage.report },
    size: Math.min(navigator.hardwareConcurrency || 2, 4),
    search: (query, limit) => index.search(query, limit),
    settings: () => readSettings(db),
    wantReplica: () => sync.wantReplica(),
    later: (run) => timers.set(run, 60_000),
    announce: () => channel.postMessage({ type: 'poke' }),
  });
  const poke = (): void => void service.poke();
  channel.addEventListener('message', poke);
  watchSync(db, { replica: poke, settings: poke, online: () => service.online() });
  return service;
}

expose(lateDoor(open()));
