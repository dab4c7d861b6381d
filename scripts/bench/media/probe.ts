/** A hundred files of every kind, made by native ffmpeg, probed in Chromium; held against ffprobe and a full decode. */
import { execFile } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Figure, Group } from './bench.types.ts';
import { makeMusic } from './music.ts';
import { hasTool, runNative } from './native.ts';
import { figureOf } from './statistics.ts';

const run = promisify(execFile);

export const probeGroup: Group = { name: 'probe', run: measure };

const FILES = 100;
/** Of minutes each, as music is; what walks frames pays by length. Seconds. */
const LENGTHS = [187, 243, 305];

/** Name's ending and ffmpeg's arguments. */
const KINDS: readonly [ending: string, ...encoder: string[]][] = [
  ['mp3', '-c:a', 'libmp3lame', '-b:a', '192k'],
  ['mp3', '-c:a', 'libmp3lame', '-q:a', '2'],
  ['mp3', '-c:a', 'libmp3lame', '-b:a', '256k', '-write_xing', '0'],
  ['flac', '-c:a', 'flac'],
  ['m4a', '-c:a', 'aac', '-b:a', '160k'],
  ['m4a', '-c:a', 'alac'],
  ['aac', '-c:a', 'aac', '-b:a', '128k'],
  ['ogg', '-c:a', 'libvorbis', '-q:a', '6'],
  ['opus', '-c:a', 'libopus', '-b:a', '128k'],
  ['oga', '-c:a', 'flac'],
  ['wav', '-c:a', 'pcm_s16le'],
  ['wav', '-c:a', 'pcm_s24le', '-rf64', 'always'],
  ['aiff', '-c:a', 'pcm_s16be', '-write_id3v2', '1'],
  ['wma', '-c:a', 'wmav2', '-b:a', '160k'],
  ['wv', '-c:a', 'wavpack'],
  ['tta', '-c:a', 'tta'],
  ['caf', '-c:a', 'pcm_s16be'],
  ['caf', '-c:a', 'alac'],
  ['w64', '-c:a', 'pcm_s16le'],
  ['ac3', '-c:a', 'ac3', '-b:a', '192k'],
];
const TAGS = ['title=Cordage', 'artist=The Mooring Lines', 'album=Harbour Songs', 'track=3/8', 'date=1997'];

/** What native tools say of a file. */
interface Truth {
  codec: string;
  rate: number;
  /** ffprobe has two bitrates, of the stream (often the one aimed at) and of the file. */
  bitrates: number[];
  ms: number;
}

async function measure(bench: Bench): Promise<Figure[]> {
  if (!hasTool('ffmpeg') || !hasTool('ffprobe')) {
    console.log('ffmpeg or ffprobe is not installed: nothing of the group probe is measured.');
    return [];
  }
  const kinds = await makeKinds(bench);
  const staged = await bench.page.evaluate(
    (urls) => window.bench.stageFiles(urls),
    kinds.map((name) => `${bench.files}/${name}`),
  );
  const files = Array.from({ length: FILES }, (_, n) => n % kinds.length).map((n) => ({
    name: kinds[n] ?? '',
    sha256: staged[n]?.sha256 ?? '',
  }));
  const times: number[] = [];
  const cpu: number[] = [];
  let found: Awaited<ReturnType<typeof window.bench.probeFiles>>['found'] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const before = bench.browserCpu();
    const probed = await bench.page.evaluate((list) => window.bench.probeFiles(list), files);
    cpu.push(((bench.browserCpu() - before) * 1000) / FILES);
    times.push(probed.ms / FILES);
    found = probed.found;
  }
  const wrong: string[] = [];
  let worst = 0;
  for (const [n, name] of kinds.entries()) {
    const truth = await truthOf(join(bench.folder, name));
    const off = Math.abs((found[n]?.duration_ms ?? Infinity) - truth.ms);
    worst = Math.max(worst, off);
    wrong.push(...differences(name, found[n], truth, off));
  }
  for (const words of wrong) console.log(`  ${words}`);
  return [
    figureOf('probe.ms_per_file', times),
    figureOf('probe.cpu_ms_per_file', cpu),
    { name: 'probe.worst_length_ms', value: worst },
    { name: 'probe.unlike_ffprobe', value: wrong.length },
  ];
}

function differences(
  name: string,
  found: Awaited<ReturnType<typeof window.bench.probeFiles>>['found'][number] | undefined,
  truth: Truth,
  off: number,
): string[] {
  const bitrate = found?.bitrate ?? 0;
  const near = truth.bitrates.some((one) => Math.abs(one - bitrate) <= one * 0.02);
  return [
    ...(off > 50 ? [`${name}: the length is ${off.toFixed(0)} ms off a full decode`] : []),
    ...(found?.codec === truth.codec ? [] : [`${name}: ${found?.codec}, ffprobe says ${truth.codec}`]),
    ...(found?.sample_rate === truth.rate ? [] : [`${name}: ${found?.sample_rate} Hz, ffprobe says ${truth.rate}`]),
    ...(near ? [] : [`${name}: ${bitrate} bit/s, ffprobe says ${truth.bitrates.join(' or ')}`]),
  ];
}

/** One file of each kind; names of files in the bench's folder. */
async function makeKinds({ folder, size }: Bench): Promise<string[]> {
  const sources: string[] = [];
  for (const [n, seconds] of LENGTHS.entries()) {
    const path = join(folder, `probe-source-${n}.wav`);
    await writeFile(path, makeMusic(Math.max(20, Math.round(seconds * size)), n + 1));
    sources.push(path);
  }
  const names: string[] = [];
  for (const [n, [ending, ...encoder]] of KINDS.entries()) {
    const name = `probe-${n}.${ending}`;
    const source = sources[n % sources.length] ?? '';
    const tags = TAGS.flatMap((tag) => ['-metadata', tag]);
    await runNative('ffmpeg', ['-v', 'error', '-y', '-i', source, ...tags, ...encoder, join(folder, name)]);
    names.push(name);
  }
  return names;
}

async function truthOf(path: string): Promise<Truth> {
  const entries = 'stream=codec_name,sample_rate,bit_rate:format=bit_rate';
  const probe = ['-v', 'error', '-select_streams', 'a:0', '-show_entries', entries, '-of', 'flat', path];
  const { stdout } = await run('ffprobe', probe);
  const field = (name: string): string => new RegExp(`${name}="?([^"\\n]*)"?`).exec(stdout)?.[1] ?? '';
  const rate = Number(field('sample_rate'));
  const ms = ((await decodedBytes(path)) * 1000) / (rate * 2);
  const said = [field('streams.stream.0.bit_rate'), field('format.bit_rate')].map(Number).filter((one) => one > 0);
  // Of bare ADTS frames ffprobe takes the first for all, length and bitrate; their own bytes and a full decode say it.
  return {
    codec: field('codec_name'),
    rate,
    bitrates: [...said, ...(path.endsWith('.aac') ? [((await stat(path)).size * 8000) / ms] : [])],
    ms,
  };
}

/** Bytes of one channel of 16 bits that a full decode gives. */
async function decodedBytes(path: string): Promise<number> {
  const out = `${path}.s16`;
  await runNative('ffmpeg', ['-v', 'error', '-y', '-i', path, '-map', '0:a:0', '-ac', '1', '-f', 's16le', out]);
  const { size } = await stat(out);
  await rm(out);
  return size;
}
