/** A disk that becomes full at any write of an import, both ways in, on both stores. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BrokenDisk } from '../fixtures/broken-disk.ts';
import { guideTestServer, guideXml, programme, SOUND, type GuideTestServer } from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { DEFAULT_RUN_SETTINGS } from '#lanes/guide/core/run/run.types.ts';

const OLD = guideXml([programme(1, SOUND)]);
const NEW = guideXml([2, 3, 4].map((n) => programme(n, SOUND)));
/** More than an import of such a guide makes. */
const MOST_WRITES = 40;

onBothStores('an import on a full disk', () => {
  let disk: BrokenDisk;
  let server: GuideTestServer;
  let end: () => void;
  beforeEach(async () => {
    const source = createServer((_request, response) => void response.end(NEW));
    await new Promise<void>((resolve) => void source.listen(0, '127.0.0.1', resolve));
    const { port } = source.address() as AddressInfo;
    end = () => void source.close();
    const wire = {
      resolve: () => Promise.resolve([{ address: '93.184.216.34' }]),
      connect: () => connect({ host: '127.0.0.1', port }),
    };
    server = await guideTestServer({ runs: DEFAULT_RUN_SETTINGS }, { wire }, (deps) => {
      disk = new BrokenDisk(deps.store.shared);
      return disk.wrap(deps);
    });
  });
  afterEach(async () => {
    disk.mend();
    await server.end();
    end();
  });

  test.each([
    ['that is sent', () => server.put(NEW)],
    [
      'that is fetched',
      () => server.raw('POST', '/v1/guide/guides/g/fetch', JSON.stringify({ url: 'http://guides.example/a' })),
    ],
  ])(
    'GUIDE-176 a guide %s is what it was until all of it is written, says why, and comes in later',
    async (_name, send) => {
      expect((await server.put(OLD)).status).toBe(200);
      await server.service.settled();
      const before = await server.exported();
      const lines = async () => (await server.store.db.selectFrom('audit').selectAll().execute()).length;
      const audited = await lines();
      for (let write = 0; ; write++) {
        expect(write).toBeLessThan(MOST_WRITES);
        disk.breakAt(write, 'full');
        const answer = await send();
        disk.mend();
        if (answer.status === 200) {
          expect(write).toBeGreaterThan(2);
          break;
        }
        const { error } = (await answer.json()) as ErrorAnswer;
        expect([answer.status, error.code], `write ${write}`).toEqual([507, 'storage_full']);
        expect(error.message).toMatch(/space/);
        expect(await server.exported(), `write ${write}`).toBe(before);
        expect(await lines()).toBe(audited);
      }
      await server.service.settled();
      expect(await server.service.store.guide('g')).toMatchObject({ revision: 2, programmes: 3 });
      expect(await lines()).toBe(audited + 1);
      // What the failed ones left is swept away by the next that is begun.
      expect((await server.put(NEW)).status).toBe(200);
      const imports = await server.store.db.selectFrom('guide_days').select('import').distinct().execute();
      expect(imports).toHaveLength(1);
    },
  );
});
