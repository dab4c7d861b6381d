/** Identifies papers and books, looks them up, and writes what was confirmed. The RPC interface is DocumentsApi (lanes/documents/browser/documents-api.types.ts). */
import { expose } from 'comlink';
import { catalogServer } from '#adapters/browser/sync/catalog-server.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { spawnModel as openModel } from '#adapters/browser/llm/spawn-model.ts';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { browserPdfText } from '#adapters/browser/pdf-text.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { randomUuids } from '#core/ids.ts';
import { loadOnce } from '#core/load-once.ts';
import { openDatabase } from '#lanes/database.ts';
import { createDocumentsService } from '#lanes/documents/browser/documents-service.ts';
import { browserPdfWriter, fetchPdfWriter } from '#lanes/documents/browser/pdf-writer.ts';

const db = openDatabase();
endWithPage(db, self);
const blobs = loadOnce(() => openBlobStore(db));

expose(
  createDocumentsService({
    ...{ db, clock, timers, platform: navigator.platform, ids: randomUuids },
    journal: dexieJournalStore(db, navigator.locks),
    blob: async (sha256) => (await blobs()).file(sha256).catch(() => null),
    reader: browserPdfText(),
    writer: browserPdfWriter(),
    fetchAhead: fetchPdfWriter,
    server: async () => (await catalogServer(db)).http,
    models: async () => createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
    isOnline: () => navigator.onLine,
    alone: (name, work) => ('locks' in navigator ? navigator.locks.request(name, work) : work()),
  }),
);
