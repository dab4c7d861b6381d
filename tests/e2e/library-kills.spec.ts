import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { libraryKills } from '../soak/library-kills.ts';
import { expect, test } from './support/test.ts';

const FILES = 2_000;

test('LIBRARY-63, LIBRARY-107 a browser that is killed while it reads a folder of 2,000 files goes on, and without a server it reads them with an agent dropped in: no file is lost or there twice', async ({
  server,
}) => {
  const found = await libraryKills({
    executable: process.env['ACCESSION_BROWSER'] ?? chromium.executablePath(),
    server,
    directory: await mkdtemp(join(tmpdir(), 'accession-library-')),
    ...{ files: FILES, characters: 120, delays: [100, 600] },
  });
  expect(found).toMatchObject({ files: FILES, chunks: FILES, wrong: 0 });
});
