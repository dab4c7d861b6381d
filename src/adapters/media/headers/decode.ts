/** The last resort and the judge: the ffmpeg core decodes the whole file and counts what comes out. */
import { openFfmpeg } from '../ffmpeg-core.ts';
import { readLog, reasonOf } from '../ffmpeg-log.ts';
import { wholeHeader, type AudioHeader } from './audio-header.ts';

const LOSSLESS = /^(pcm_|flac$|alac$|wavpack$|tta$|ape$|wmalossless$|truehd$|mlp$|dsd_|shorten$|tak$)/;

/** By ffmpeg's name of the codec. */
export function isLossless(codec: string): boolean {
  return LOSSLESS.test(codec);
}

/** A name that ffmpeg may see: only the ending is kept, as a hint for formats without a signature. */
export function safeName(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1];
  return ending ? `input.${ending.toLowerCase()}` : 'input';
}

/** Decodes all of it. `header` is null when there was no sound; `reason` then is ffmpeg's. */
export async function readByDecoding(
  blob: Blob,
  name: string,
): Promise<{ header: AudioHeader | null; errors: number; reason: string }> {
  const input = safeName(name);
  const args = ['-v', 'verbose', '-i', input, '-map', '0:a:0', '-f', 'null', '-'];
  const run = await openFfmpeg().run(args, { inputs: [{ name: input, data: blob }], outputs: [] });
  const facts = readLog(run.log);
  const reason = reasonOf(run.log);
  if (run.code !== 0 || !facts.decoded || !facts.sampleRate) return { header: null, errors: run.decodeErrors, reason };
  const header = wholeHeader({
    container: facts.format?.split(',')[0] ?? 'unknown',
    codec: facts.codec ?? 'unknown',
    sample_rate: facts.sampleRate,
    channels: facts.channels,
    lossless: isLossless(facts.codec ?? ''),
    duration_ms: (facts.decoded * 1000) / facts.sampleRate,
    audio_bytes: blob.size,
  });
  return { header, errors: run.decodeErrors, reason };
}
