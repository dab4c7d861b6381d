/** What an album must have become, however often the browser was killed on the way. */
import { createHash } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { OggVorbisReader } from '#adapters/media/ogg/ogg-vorbis.ts';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { MadeUpAlbum } from '../e2e/catalog.ts';
import type { Api } from '../e2e/support/api.ts';
import { readBlobs } from './app-rows.ts';
import { KillableBrowser } from './killable-browser.ts';
import type { RoundOptions, RoundOutcome } from './kill-round.ts';

/** Of an album that went through, what is wrong; sentences. All are empty when nothing is. */
export interface Findings {
  /** A track that is not in the catalog, or not as it must be. */
  lost: string[];
  torn: string[];
  /** Something that is there twice. */
  duplicated: string[];
  /** A stored file that nothing names and that stays all the same. */
  orphans: string[];
  /** Conversions beyond one a track, and how many the kills allow. */
  repeated: number;
  allowed: number;
}

/** The sound that was dropped: samples a channel, and channels. */
export interface SourceSound {
  samples(track: Track): number;
  channels: number;
}

export async function checkRound(
  { api, media, album, sound }: { api: Api; media: string; album: MadeUpAlbum; sound: SourceSound },
  round: RoundOptions,
  outcome: RoundOutcome,
): Promise<Findings> {
  const { jobs, outbox } = outcome.rows;
  const lost: string[] = [];
  const duplicated: string[] = [];
  const available = await api.available(album.id);
  const served: Served[] = [];
  for (const track of album.tracks) {
    const [job, second] = jobs.filter(({ matched_track_id }) => matched_track_id === track.id);
    if (second !== undefined) duplicated.push(`"${track.title}" has two rows`);
    if (!available.includes(track.id)) lost.push(`"${track.title}" is not available`);
    else {
      const bytes = await api.bytes(`/v1/catalog/tracks/${track.id}/audio`);
      served.push({ track, bytes, sha256: job?.output_sha256 ?? null });
    }
  }
  lost.push(...served.flatMap((one) => wrongWith(one, album, sound)), ...(await undecodable(served, sound)));
  if (jobs.length > album.tracks.length) duplicated.push(`${jobs.length} rows for ${album.tracks.length} files`);
  if (outbox.length > 0) duplicated.push(`${outbox.length} results wait again after all were published`);
  const files = (await readdir(media, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  if (files.length > album.tracks.length) duplicated.push(`the catalog has ${files.length} audio files`);
  return {
    lost,
    torn: outcome.torn,
    duplicated,
    orphans: await orphansOf(round, outcome),
    repeated: outcome.started - album.tracks.length,
    allowed: outcome.killed.length * outcome.workers,
  };
}

interface Served {
  track: Track;
  bytes: Uint8Array<ArrayBuffer>;
  /** What was converted in the browser. */
  sha256: string | null;
}

function wrongWith({ track, bytes, sha256 }: Served, album: MadeUpAlbum, sound: SourceSound): string[] {
  const wrong: string[] = [];
  const say = (what: string): void => void wrong.push(`"${track.title}": ${what}`);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) say('what is served is not what was converted here');
  const reader = new OggVorbisReader(track.title);
  reader.push(bytes);
  const read = reader.finish();
  if (!read.ok) return [...wrong, read.failure.message];
  const { samples, comments } = read.value;
  if (samples !== sound.samples(track)) say(`${samples} samples, the source has ${sound.samples(track)}`);
  const tags = { TITLE: track.title, ARTIST: track.artist, ALBUM: album.title, TRACKNUMBER: String(track.position) };
  for (const [key, value] of Object.entries(tags))
    if (comments[key]?.join() !== value) say(`${key} is "${comments[key]?.join() ?? ''}" and not "${value}"`);
  return wrong;
}

/** Decodes all of them, at once: the decoder is slow to start. */
async function undecodable(served: readonly Served[], sound: SourceSound): Promise<string[]> {
  const args = served.flatMap((_, at) => ['-i', `${at}.ogg`]);
  const outputs = served.map((_, at) => `${at}.pcm`);
  const made = served.flatMap((_, at) => ['-map', `${at}:a`, '-f', 's16le', `${at}.pcm`]);
  const inputs = served.map(({ bytes }, at) => ({ name: `${at}.ogg`, data: bytes }));
  const run = await openFfmpeg().run(['-v', 'error', ...args, ...made], { inputs, outputs });
  if (run.code !== 0 || run.decodeErrors > 0) return [`the catalog's audio does not decode: ${run.log.join(' ')}`];
  return served.flatMap(({ track }, at) => {
    const samples = (run.outputs.get(`${at}.pcm`)?.length ?? 0) / 2 / sound.channels;
    return samples === sound.samples(track) ? [] : [`"${track.title}": ${samples} samples decode`];
  });
}

/** When stored files count as old enough to be collected, and more. Milliseconds. */
const LATER_MS = 2 * 3_600_000;
const COLLECTED_MS = 30_000;

/** What is still there hours later though nothing needs it: files are made older on the disk, and the app opened. */
async function orphansOf(round: RoundOptions, { rows }: RoundOutcome): Promise<string[]> {
  const long = new Date(Date.now() - LATER_MS);
  const stored = await readdir(join(round.profile, 'Default'), { recursive: true, withFileTypes: true });
  for (const entry of stored)
    if (entry.isFile() && /File System|WebStorage/.test(entry.parentPath))
      await utimes(join(entry.parentPath, entry.name), long, long);
  const originals = new Set(rows.jobs.map(({ sha256 }) => sha256));
  const browser = await KillableBrowser.start(round.executable, round.profile);
  try {
    await browser.page.goto(round.link);
    const end = performance.now() + COLLECTED_MS;
    for (;;) {
      const blobs = await readBlobs(browser.page);
      const left = blobs.filter(({ folder, name }) => folder === 'tmp' || !originals.has(name));
      const gone = [...originals].filter((name) => !blobs.some((blob) => blob.name === name));
      const wrong = [
        ...left.map(({ folder, name }) => `${folder}/${name} is never freed`),
        ...gone.map((name) => `the original ${name ?? ''} is gone before its days are over`),
      ];
      if (wrong.length === 0 || performance.now() > end) return wrong;
      await wait(100);
    }
  } finally {
    await browser.kill();
  }
}
