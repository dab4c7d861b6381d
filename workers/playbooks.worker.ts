/** Checks and runs playbooks. The RPC interface is PlaybookApi (lanes/playbooks/browser/playbook-api.types.ts). */
import { expose } from 'comlink';
import { createSHA256 } from 'hash-wasm';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { spawnModel as openModel } from '#adapters/browser/llm/spawn-model.ts';
import { catalogServer, signedIn } from '#adapters/browser/sync/catalog-server.ts';
import { openBrowserCage } from '#adapters/toolbox/browser/browser-cage.ts';
import { declaredSources } from '#adapters/toolbox/browser/declared-sources.ts';
import { openPageNet } from '#adapters/toolbox/browser/page-net.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { randomIds as ids } from '#core/ids.ts';
import { loadOnce } from '#core/load-once.ts';
import { openDatabase } from '#lanes/database.ts';
import { createPlaybookService } from '#lanes/playbooks/browser/playbook-service.ts';

const db = openDatabase();
endWithPage(db, self);
const hasher = loadOnce(() => createSHA256());

const sha256 = async (text: string): Promise<string> => (await hasher()).init().update(text).digest('hex');
const library = {
  ...{ db, sha256, files: loadOnce(() => openKeptFiles(db, 'library')) },
  server: async () => (await catalogServer(db)).http,
};

expose(
  createPlaybookService({
    ...{ db, clock, ids, timers },
    openCage: (places) => openBrowserCage(places, () => undefined),
    net: openPageNet(() => signedIn(db)),
    declared: () => declaredSources(() => signedIn(db)),
    stepTools: async (agreed, asked) =>
      (await import('#lanes/library/browser/step-tools.ts')).browserStepTools(library, agreed, asked),
    sha256,
    server: async () => (await catalogServer(db)).http,
    models: loadOnce(async () =>
      createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
    ),
    lock: (name) =>
      new Promise((has, fails) => {
        if (!('locks' in navigator)) return has(() => undefined);
        navigator.locks
          .request(name, { ifAvailable: true }, (lock) =>
            lock === null ? has(null) : new Promise<void>((release) => has(release)),
          )
          .catch(fails);
      }),
  }),
);
