import { SHORT_WAVES } from './catalog.ts';
import { albumFiles, namesOf, zipOf } from './support/album-files.ts';
import { App } from './support/app.ts';
import { CuttingProxy } from './support/cutting-proxy.ts';
import { expectServed } from './support/served-audio.ts';
import { expect, test } from './support/test.ts';

/** Into the first upload, well before its end. */
const CUT_AFTER_BYTES = 16 * 1024;

test('the server is killed in the middle of an upload and started again: everything is published, once', async ({
  page,
  api,
  server,
}) => {
  const files = await albumFiles(SHORT_WAVES, { format: 'flac', tagged: true });
  const proxy = new CuttingProxy(server.origin);
  const app = new App(page);
  try {
    const origin = await proxy.listen();
    await app.signIn(`${origin}/#token=${server.token}`);
    const killed = proxy.cutUploadAfter(CUT_AFTER_BYTES, () => server.kill());
    await app.addFiles([await zipOf('short_waves.zip', files)]);
    await killed;

    expect(await Promise.allSettled([api.album(SHORT_WAVES.id)])).toMatchObject([{ status: 'rejected' }]);
    await expect(app.syncStatus).toContainText('not reachable');
    await server.start();
    await app.waitForPublished(namesOf(files));
  } finally {
    proxy.close();
    await app.forgetFiles();
  }
  expect(await api.available(SHORT_WAVES.id)).toHaveLength(4);
  for (const track of SHORT_WAVES.tracks) await expectServed(api, SHORT_WAVES, track, track.duration_ms ?? 0);
});
