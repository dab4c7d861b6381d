/**
 * `npm run soak -- media [--kills N] [--seed N]`: albums of twelve tracks, each in a browser that is killed at random
 * instants from the drop to the catalog and started again, against the real server. Prints a row an album; ends with
 * code 1 when anything was lost, torn or done twice.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { CATALOG, PAPER_LANTERNS, type MadeUpAlbum } from '../e2e/catalog.ts';
import { albumFiles, zipOf } from '../e2e/support/album-files.ts';
import { Api } from '../e2e/support/api.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';
import { checkRound, type Findings, type SourceSound } from './check-round.ts';
import { killRound, type RoundOutcome } from './kill-round.ts';
import { STAGES, type Kill, type Stage } from './kill-stages.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

/** Short enough for many of them, long enough that there is something to be killed in. */
const SHARE = 0.35;
const ALBUM: MadeUpAlbum = {
  ...PAPER_LANTERNS,
  tracks: PAPER_LANTERNS.tracks.map((track) => ({
    ...track,
    duration_ms: Math.round((track.duration_ms ?? 0) * SHARE),
  })),
};
const ITS_CATALOG: CatalogFile = {
  ...CATALOG,
  tracks: CATALOG.tracks.map((track) => ({
    ...track,
    duration_ms: ALBUM.tracks.find(({ id }) => id === track.id)?.duration_ms ?? track.duration_ms ?? null,
  })),
};
const SHAPE = { sampleRate: 44_100, channels: 2 };
const SOUND: SourceSound = {
  samples: (track) => Math.round(((track.duration_ms ?? 0) / 1000) * SHAPE.sampleRate),
  channels: SHAPE.channels,
};
/** Most kills of one album, so that there are several. */
const MOST_AN_ALBUM = 8;
/** A kill comes up to so long after its stage was reached, and more where a stage takes long. Milliseconds. */
const LATEST_MS = 400;
const LATEST_CONVERTING_MS = 2_500;

/** Of these, from where the album is, one is chosen. */
const NEXT_STAGES = 3;

// Stopped by hand, it takes its browser with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const random = mulberry32(seed);

const executable = process.env['ACCESSION_BROWSER'] ?? '';
const folder = await mkdtemp(join(tmpdir(), 'accession-soak-'));
try {
  await soak();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function soak(): Promise<void> {
  say(`seed ${seed}; making the album ...`);
  const files = await albumFiles(ALBUM, { format: 'flac', tagged: true, ...SHAPE });
  const zip = await zipOf('paper_lanterns.zip', files);
  const archive = join(folder, zip.name);
  await writeFile(archive, zip.bytes);
  const archiveSha256 = createHash('sha256').update(zip.bytes).digest('hex');

  say('album  kills  drops  conversions  lost  torn  double  orphans  seconds  killed while');
  const all: (Findings & { kills: number })[] = [];
  for (let left = kills; left > 0;) {
    const started = performance.now();
    const { outcome, findings } = await album(all.length + 1, Math.min(left, MOST_AN_ALBUM), archive, archiveSha256);
    left -= outcome.killed.length;
    all.push({ ...findings, kills: outcome.killed.length });
    print(all.length, outcome, findings, performance.now() - started);
  }
  await report(all);
}

/** One album in a profile and a catalog of its own. */
async function album(
  number: number,
  most: number,
  archive: string,
  archiveSha256: string,
): Promise<{ outcome: RoundOutcome; findings: Findings }> {
  const data = join(folder, `server-${number}`);
  const profile = join(folder, `profile-${number}`);
  const server = await CatalogServer.start(data);
  try {
    const api = new Api(server.origin, server.token);
    await api.importCatalog(ITS_CATALOG);
    let given = 0;
    const next = (reached: Stage): Kill | null => (given++ < most ? draw(reached) : null);
    const round = { executable, profile, link: server.signInLink, archive, archiveSha256, next };
    const outcome = await killRound({ ...round, tracks: ALBUM.tracks.length });
    const checked = { api, media: server.media, album: ALBUM, sound: SOUND };
    const findings = await checkRound(checked, { ...round, tracks: ALBUM.tracks.length }, outcome);
    return { outcome, findings };
  } finally {
    await server.kill();
    for (const path of [data, profile]) await rm(path, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Somewhat on from where the album is: each part of the way gets its kills. */
function draw(reached: Stage): Kill {
  const open = STAGES.slice(STAGES.indexOf(reached), STAGES.indexOf('done'));
  const stage = open[Math.floor(random() * Math.min(open.length, NEXT_STAGES))] ?? reached;
  const latest = stage === 'converting' || stage === 'publishing' ? LATEST_CONVERTING_MS : LATEST_MS;
  return { stage, delayMs: Math.floor(random() * latest) };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function print(number: number, outcome: RoundOutcome, findings: Findings, ms: number): void {
  const cells = [
    String(number).padStart(5),
    String(outcome.killed.length).padStart(5),
    String(outcome.drops).padStart(5),
    String(outcome.started).padStart(11),
    String(findings.lost.length).padStart(4),
    String(findings.torn.length).padStart(4),
    String(findings.duplicated.length).padStart(6),
    String(findings.orphans.length).padStart(7),
    (ms / 1000).toFixed(1).padStart(7),
    outcome.killed.join(', '),
  ];
  say(cells.join('  '));
  for (const words of [findings.lost, findings.torn, findings.duplicated, findings.orphans].flat())
    say(`       ${words}`);
}

async function report(all: readonly (Findings & { kills: number })[]): Promise<void> {
  const sum = (count: (one: Findings & { kills: number }) => number): number =>
    all.reduce((total, one) => total + count(one), 0);
  const figures = {
    'media.kills': sum((one) => one.kills),
    'media.rounds': all.length,
    'media.lost': sum((one) => one.lost.length),
    'media.torn': sum((one) => one.torn.length),
    'media.duplicated': sum((one) => one.duplicated.length),
    'media.orphans': sum((one) => one.orphans.length),
    'media.repeated': sum((one) => one.repeated),
    'media.repeated_allowed': sum((one) => one.allowed),
  };
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  const wrong = sum(({ lost, torn, duplicated, orphans }) => [lost, torn, duplicated, orphans].flat().length);
  if (wrong > 0 || all.some(({ repeated, allowed }) => repeated > allowed)) process.exitCode = 1;
}
