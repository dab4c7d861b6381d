/** FLAC to verified, tagged Vorbis: the app's two ways in Chromium, and native ffmpeg, which verifies nothing. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import type { Bench, Figure, Group } from './bench.types.ts';
import { makeMusic } from './music.ts';
import { hasTool, runNative } from './native.ts';
import { figureOf } from './statistics.ts';

/** Of a round: with more than one, starting the worker weighs as little as it does in the app. */
const TRACKS = 2;

export const transcodeGroup: Group = { name: 'transcode', run };

interface Cost {
  cpu: number;
  wall: number;
}

async function run(bench: Bench): Promise<Figure[]> {
  const names = await Promise.all(Array.from({ length: TRACKS }, (_, n) => makeTrack(bench, n + 1)));
  const staged = await bench.page.evaluate(
    (urls) => window.bench.stageFiles(urls),
    names.map((name) => `${bench.files}/${name}`),
  );
  const files = staged.map(({ sha256 }) => ({ sha256, durationMs: bench.seconds * 1000 }));
  const native: Cost[] = [];
  const fast: Cost[] = [];
  const fallback: Cost[] = [];
  const memory = { idle: bench.browserMemory(), peak: 0 };
  const watch = setInterval(() => (memory.peak = Math.max(memory.peak, bench.browserMemory())), 2000);
  const installed = hasTool('ffmpeg');
  for (let round = 0; round < bench.rounds; round++) {
    if (installed) native.push(await nativeRound(bench.folder, names));
    fast.push(await appRound(bench, { files, fast: true }));
    fallback.push(await appRound(bench, { files, fast: false }));
  }
  clearInterval(watch);
  const figures = [
    ...costs('transcode.fast', fast, native),
    ...costs('transcode.fallback', fallback, native),
    { name: 'transcode.extra_memory_mb', value: (memory.peak - memory.idle) / 1e6 },
  ];
  if (installed)
    figures.push(
      figureOf(
        'transcode.native.cpu_s',
        native.map(({ cpu }) => cpu / TRACKS),
      ),
    );
  else console.log('ffmpeg is not installed: no ratios to it.');
  return figures;
}

function costs(name: string, own: readonly Cost[], native: readonly Cost[]): Figure[] {
  const ratio = (of: (cost: Cost) => number): number[] => native.map((cost, n) => of(own[n] ?? cost) / of(cost));
  const figures = [
    figureOf(
      `${name}.cpu_s`,
      own.map(({ cpu }) => cpu / TRACKS),
    ),
  ];
  if (native.length === 0) return figures;
  figures.push(
    figureOf(
      `${name}.cpu_ratio`,
      ratio(({ cpu }) => cpu),
    ),
  );
  figures.push(
    figureOf(
      `${name}.wall_ratio`,
      ratio(({ wall }) => wall),
    ),
  );
  return figures;
}

async function makeTrack({ folder, seconds }: Bench, seed: number): Promise<string> {
  const name = `track-${seed}.flac`;
  const inputs = [{ name: 'in.wav', data: makeMusic(seconds, seed) }];
  const { outputs } = await openFfmpeg().run(['-i', 'in.wav', name], { inputs, outputs: [name] });
  const bytes = outputs.get(name);
  if (bytes === undefined) throw new Error('The FLAC of the benchmark was not made.');
  await writeFile(join(folder, name), bytes);
  return name;
}

async function nativeRound(folder: string, names: readonly string[]): Promise<Cost> {
  const sum = { cpu: 0, wall: 0 };
  for (const name of names) {
    const args = ['-v', 'error', '-y', '-i', join(folder, name), '-vn', '-c:a', 'libvorbis', '-q:a', '9'];
    const { cpu, wall } = await runNative('ffmpeg', [...args, join(folder, 'native.ogg')]);
    sum.cpu += cpu;
    sum.wall += wall;
  }
  return sum;
}

async function appRound(
  bench: Bench,
  order: { files: { sha256: string; durationMs: number }[]; fast: boolean },
): Promise<Cost> {
  const before = bench.browserCpu();
  const begun = performance.now();
  const reasons = await bench.page.evaluate((given) => window.bench.transcodeFiles(given), order);
  const cost = { cpu: bench.browserCpu() - before, wall: (performance.now() - begun) / 1000 };
  const other = reasons.find((reason) => reason.includes('fast') !== order.fast);
  if (other !== undefined) console.log(`not the way that was asked for: ${other}`);
  return cost;
}
