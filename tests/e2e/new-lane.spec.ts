import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from './support/app.ts';
import { CatalogServer } from './support/catalog-server.ts';
import { openPlace } from './support/places.ts';
import { buildWithLane } from './support/project-with-lane.ts';
import { expect, test } from './support/test.ts';

const parcel = (name: string, street: string) => ({ name, bytes: new TextEncoder().encode(`to: ${street}\n`) });

test('HOUSE-1 a lane is one folder and one line: a third one is built in, asks, remembers, and has a page of its own', async ({
  page,
}) => {
  // All of the app is built once more, beside whatever else the machine does.
  const main = await buildWithLane('parcels');
  const data = await mkdtemp(join(tmpdir(), 'accession-e2e-'));
  const server = await CatalogServer.start(data, main);
  const app = new App(page);
  try {
    await app.signIn(server.signInLink);
    await app.addFiles([parcel('first.parcel', 'Mill Lane 5')]);
    await app.waitForStatus('first.parcel', 'AWAITING_REVIEW');
    await app.answer('On which shelf goes "first.parcel"?', 'Shelf B2');
    await app.waitForStatus('first.parcel', 'COMPLETED');
    await expect(app.jobRow('first.parcel')).toContainText('Shelf B2');

    await app.addFiles([parcel('second.parcel', 'Mill Lane 5')]);
    await app.waitForStatus('second.parcel', 'COMPLETED');

    await openPlace(page, 'Shelves');
    await expect(page.getByRole('list', { name: 'Shelves' })).toHaveText('B2: Mill Lane 5');

    const tools = await fetch(`${server.origin}/v1/tools`, { headers: { authorization: `Bearer ${server.token}` } });
    expect(await tools.text()).toContain('beginSortParcels');
  } finally {
    await app.forgetFiles();
    await server.kill();
    await rm(data, { recursive: true, force: true });
  }
});
