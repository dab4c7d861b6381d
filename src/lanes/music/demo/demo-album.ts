/** A ZIP that fits an album: tones of exactly the right lengths, named as rips are. For *Try it* and tests. */
import JSZip from 'jszip';
import { fnv1a } from '#core/fnv1a.ts';
import type { AlbumWithTracks, Track } from '#lanes/music/core/catalog.ts';

/** Telephone quality: an hour is 29 MB before and a few hundred kB after deflating. Hz, 8 bit, mono. */
const RATE = 8_000;
/** For tracks whose length the catalog does not know. Milliseconds. */
const USUAL_MS = 180_000;
/** The pattern that is repeated; well inside deflate's window of 32 KiB. Samples. */
const PERIOD = RATE * 2;
const WAV_HEADER = 44;

/**
 * `<Artist> - <Album>.zip`, holding `NN - Title.wav` (in `Disc N` folders when there are several discs). `names` gives
 * other names to the files of some tracks, by track id.
 */
export async function makeDemoAlbum(
  album: AlbumWithTracks,
  names: Readonly<Record<string, string>> = {},
): Promise<File> {
  const zip = new JSZip();
  const discs = new Set(album.tracks.map((track) => track.disc)).size;
  for (const track of album.tracks) {
    const name = names[track.id] ?? `${String(track.position).padStart(2, '0')} - ${fileName(track.title)}.wav`;
    const path = discs > 1 ? `Disc ${track.disc}/${name}` : name;
    zip.file(path, makeTone(track), { binary: true });
  }
  const bytes = await zip.generateAsync({
    type: 'arraybuffer',
    compression: 'DEFLATE',
    compressionOptions: { level: 1 },
  });
  return new File([bytes], `${fileName(album.artist)} - ${fileName(album.title)}.zip`, { type: 'application/zip' });
}

/** Without the characters that some file system refuses; never empty. */
function fileName(title: string): string {
  const clean = title
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 120);
  return clean === '' ? 'Untitled' : clean;
}

/** A WAV of a quiet chord whose pitch follows the track; no two tracks of a catalog give the same bytes. */
function makeTone(track: Track): Uint8Array<ArrayBuffer> {
  const samples = Math.round(((track.duration_ms ?? USUAL_MS) * RATE) / 1000);
  const wav = new Uint8Array(WAV_HEADER + samples);
  wav.set(wavHeader(samples));
  const seed = fnv1a(`${track.id}/${track.title}`);
  const pattern = chord(110 * 2 ** ((track.position % 24) / 12), seed);
  for (let at = 0; at < samples; at += PERIOD) {
    wav.set(pattern.subarray(0, Math.min(PERIOD, samples - at)), WAV_HEADER + at);
  }
  return wav;
}

/** One period of three notes, swelling so that it can begin again without a click. 128 is silence. */
function chord(hz: number, seed: number): Uint8Array {
  const notes = [hz, hz * 1.26, hz * 1.5 + (seed % 97) / 8].map((each) => (Math.round(each * 2) * Math.PI) / RATE);
  return Uint8Array.from({ length: PERIOD }, (_, at) => {
    const swell = 0.6 + 0.4 * Math.cos((2 * Math.PI * at) / PERIOD);
    const sum = notes.reduce(
      (total, step, index) => total + Math.sin(step * at + ((seed >>> (index * 8)) & 255) / 41),
      0,
    );
    return Math.round(128 + 7 * swell * sum);
  });
}

function wavHeader(samples: number): Uint8Array {
  const bytes = new Uint8Array(WAV_HEADER);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string): void => bytes.set(new TextEncoder().encode(value), at);
  text(0, 'RIFF');
  view.setUint32(4, WAV_HEADER - 8 + samples, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, samples, true);
  return bytes;
}
