import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';

export const browser: LaneBrowser = {
  async open({ db, server, clock, wantPull }) {
    const [{ sharedReplica }, { createSharedClient }] = await Promise.all([
      import('./share/shared-replica.ts'),
      import('#lanes/documents/http/shared-client.ts'),
    ]);
    const client = createSharedClient(server);
    const api: SharingApi = { sendSoon: () => Promise.resolve(wantPull()) };
    return { replicas: [sharedReplica(db, client, clock)], api };
  },
};

/** What the Documents page may ask of the pipeline's worker. */
export interface SharingApi {
  /** Something waits for the server. */
  sendSoon(): Promise<void>;
}
