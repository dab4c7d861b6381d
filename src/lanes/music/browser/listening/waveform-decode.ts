/** Peaks of a sound, decoded bit by bit with the browser's own decoders. Runs in a worker: mediabunny is heavy. */
import {
  ADTS,
  AudioSampleSink,
  BlobSource,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  QTFF,
  UrlSource,
  WAVE,
  type AudioSample,
  type InputAudioTrack,
} from 'mediabunny';
import { failed } from '#core/errors.ts';
import { PeakFolder, type Peaks } from '#lanes/music/core/waveform/peaks.ts';
import { breaksThePage } from '#adapters/media/fast/webcodecs.ts';
import type { WaveformSource } from './waveform.ts';

/** Bytes of a served file that are kept at most while it streams by. */
const CACHE = 4 * 1024 * 1024;
/** A served file beyond this is not fetched for a picture of it. */
export const MOST_SERVED = 64 * 1024 * 1024;
/** Milliseconds between two pictures of what is there by now. */
const EVERY = 200;

/**
 * Decodes it once, in little memory, and says at times what is there by now. Throws AccessionError: `file_unsupported`
 * where this browser has no decoder for it, `file_damaged` where the sound breaks off, `offline` where it is not served.
 */
export async function decodePeaks(
  source: WaveformSource,
  onPart: (peaks: Peaks, share: number) => void,
): Promise<Peaks> {
  const served = source.kind === 'served';
  const input = new Input({
    source: served
      ? new UrlSource(source.url, { maxCacheSize: CACHE, getRetryDelay: () => null })
      : new BlobSource(source.blob),
    formats: [FLAC, MP3, MP4, QTFF, OGG, WAVE, ADTS],
  });
  try {
    if (served && ((await input.source.getSizeOrNull()) ?? 0) > MOST_SERVED)
      throw failed('file_unsupported', 'The file is too large to be fetched for its waveform.');
    const track = await input.getPrimaryAudioTrack();
    if (!track || !(await isDecoded(track)))
      throw failed('file_unsupported', 'This browser cannot decode it for a waveform.');
    const [start, end] = served ? [0, null] : [source.start_ms / 1000, source.end_ms];
    const length = (end ?? source.duration_ms ?? (await track.computeDuration()) * 1000) - start * 1000;
    const sink = new AudioSampleSink(track);
    let folder: PeakFolder | null = null;
    let said = performance.now();
    for await (const sample of sink.samples(start, end === null ? Infinity : end / 1000)) {
      folder ??= new PeakFolder(sample.sampleRate, length);
      folder.take(planesOf(sample));
      if (performance.now() - said < EVERY) continue;
      said = performance.now();
      onPart(folder.peaks(false), folder.share);
    }
    if (folder === null || folder.heard === 0)
      throw failed('file_unsupported', 'This browser decodes no sound from it.');
    return folder.peaks(true);
  } finally {
    input.dispose();
  }
}

async function isDecoded(track: InputAudioTrack): Promise<boolean> {
  const config = await track.getDecoderConfig();
  return config !== null && !breaksThePage(config, navigator.userAgent) && (await track.canDecode());
}

function planesOf(sample: AudioSample): Float32Array[] {
  try {
    return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(sample.numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
      return plane;
    });
  } finally {
    sample.close();
  }
}
