/** A native ffmpeg with the same interface as the one in WebAssembly: named files in, named files out. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { blobRange } from '../media/blob-pieces.ts';
import { LogBuffer } from '../media/ffmpeg-log.ts';
import type { Ffmpeg, FfmpegFile, FfmpegRun } from '../media/ffmpeg-core.ts';

/** No file takes so long: ffmpeg reads sound fifty times as fast as it is played, and more. Milliseconds. */
const LONGEST_MS = 60 * 60 * 1000;

/** True when a program of this name runs, says that it is ffmpeg, and can encode Vorbis. */
export async function hasFfmpeg(path: string): Promise<boolean> {
  try {
    const { code, output } = await execute(path, ['-hide_banner', '-encoders'], () => undefined);
    return code === 0 && output.includes('libvorbis');
  } catch {
    return false;
  }
}

/** @param path of the program, or its name on the PATH */
export function nativeFfmpeg(path: string): Ffmpeg {
  return {
    async run(args, files, onTime = () => undefined): Promise<FfmpegRun> {
      const folder = await mkdtemp(join(tmpdir(), 'accession-ffmpeg-'));
      try {
        const places = new Map<string, string>();
        for (const file of files.inputs) places.set(file.name, await put(folder, file));
        for (const name of files.outputs) places.set(name, join(folder, name));
        const log = new LogBuffer();
        const words = ['-nostdin', '-hide_banner', '-y', ...args.map((arg) => places.get(arg) ?? arg)];
        const { code } = await execute(path, words, (line) => {
          log.add(line);
          const at = /time=(\d+):(\d+):(\d+(?:\.\d+)?)/.exec(line);
          if (at) onTime((Number(at[1]) * 3600 + Number(at[2]) * 60 + Number(at[3])) * 1000);
        });
        const outputs: FfmpegRun['outputs'] = new Map();
        // A failed run leaves torn files.
        const made = code === 0 ? await readdir(folder) : [];
        for (const name of files.outputs)
          if (made.includes(name)) outputs.set(name, new Uint8Array(await readFile(join(folder, name))));
        return { code, log: log.lines(), decodeErrors: log.errors, outputs };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function put(folder: string, { name, data }: FfmpegFile): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, data instanceof Uint8Array ? data : Readable.from(blobRange(data)));
  return path;
}

function execute(
  path: string,
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    // Not the platform's own: of a program that is not there it would keep this process alive until it is over.
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS).unref();
    let output = '';
    let rest = '';
    child.stdout.on('data', (bytes: Buffer) => {
      if (output.length < 1024 * 1024) output += bytes.toString('utf8');
    });
    child.stderr.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString('utf8')).split(/[\r\n]+/);
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      if (rest !== '') onLine(rest);
      resolve({ code: code ?? -1, output });
    });
  });
}
