import { makeZip, makeAudio, extensionOf, type AudioFormat } from '../../fixtures/audio.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { FileTags } from '#core/media.ts';
import type { MadeUpAlbum } from '../catalog.ts';
import type { TestFile } from './app.ts';

export interface Recipe {
  format: AudioFormat;
  /** Tags in the files; without, names and lengths have to do. */
  tagged?: boolean;
  /** `01 - Title.ext` unless said otherwise. */
  name?: (track: Track) => string;
  /** Hz and channels; small ones where they do not matter. */
  sampleRate?: number;
  channels?: number;
}

/** Every file of the album, as long as the catalog says. */
export function albumFiles(album: MadeUpAlbum, recipe: Recipe): Promise<TestFile[]> {
  return Promise.all(album.tracks.map((track) => trackFile(album, track, recipe)));
}

export async function trackFile(album: MadeUpAlbum, track: Track, recipe: Recipe): Promise<TestFile> {
  const { format, tagged = false, name = numberedName, ...shape } = recipe;
  const bytes = await makeAudio({
    ...shape,
    format,
    seconds: (track.duration_ms ?? 0) / 1000,
    seed: track.position,
    ...(tagged ? { tags: tagsOf(album, track) } : {}),
  });
  return { name: `${name(track)}.${extensionOf(format)}`, bytes };
}

/** A ZIP of the files, inside a folder. */
export async function zipOf(name: string, files: TestFile[], folder = name.replace(/\.zip$/, '')): Promise<TestFile> {
  const entries = Object.fromEntries(files.map((file) => [`${folder}/${file.name}`, file.bytes]));
  return { name, bytes: await makeZip(entries) };
}

export function namesOf(files: TestFile[]): string[] {
  return files.map((file) => file.name);
}

function numberedName(track: Track): string {
  return `${String(track.position).padStart(2, '0')} - ${track.title}`;
}

function tagsOf(album: MadeUpAlbum, track: Track): FileTags {
  return {
    title: track.title,
    artist: track.artist,
    album: album.title,
    track: track.position,
    tracktotal: album.tracks.length,
    year: album.year,
  };
}
