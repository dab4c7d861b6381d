/**
 * `npm run soak -- video [--kills N] [--seed N]`: renames of forty files on the disk, each in a browser that is killed at a
 * random instant and opened again. Ends with code 1 when a file was lost or overwritten, or a folder left half renamed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';
import { videoKills } from './video-kills.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

/** A kill comes up to so long after the button was pressed: somewhat longer than forty files take. Milliseconds. */
const LATEST_MS = 1200;

// Stopped by hand, it takes its browser with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const random = mulberry32(seed);
const folder = await mkdtemp(join(tmpdir(), 'accession-soak-'));
const server = await CatalogServer.start(join(folder, 'server'));
try {
  await soak();
} finally {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
}

async function soak(): Promise<void> {
  process.stdout.write(`seed ${seed}\nkill  renamed then  renamed now  lost  overwritten  torn\n`);
  let number = 0;
  const kills = await videoKills(
    {
      executable: process.env['ACCESSION_BROWSER'] ?? '',
      profile: join(folder, 'profile'),
      folder: join(folder, 'media'),
      origin: server.origin,
      link: server.signInLink,
      delays: Array.from({ length: count }, () => Math.floor(random() * LATEST_MS)),
    },
    (kill) => {
      const cells = [++number, kill.atKill, kill.renamed, kill.lost.length, kill.overwritten.length, Number(kill.torn)];
      const widths = [4, 12, 11, 4, 11, 4];
      process.stdout.write(`${cells.map((cell, i) => `${cell}`.padStart(widths[i] ?? 0)).join('  ')}\n`);
    },
  );
  const sum = (of: (kill: (typeof kills)[number]) => number): number => kills.reduce((all, kill) => all + of(kill), 0);
  const figures = {
    'video.kills': kills.length,
    'video.midway': sum(({ atKill }) => Number(atKill > 0 && atKill < 40)),
    'video.lost': sum(({ lost }) => lost.length),
    'video.overwritten': sum(({ overwritten }) => overwritten.length),
    'video.torn': sum(({ torn }) => Number(torn)),
    'video.put_back': sum(({ renamed }) => Number(renamed === 0)),
    'video.finished': sum(({ renamed }) => Number(renamed > 0)),
  };
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  if (figures['video.lost'] + figures['video.overwritten'] + figures['video.torn'] > 0) process.exitCode = 1;
}
