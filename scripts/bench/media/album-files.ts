/** A catalog album and its files as they come: tagged FLACs of music-like sound in a ZIP. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogFile, Track } from '#lanes/music/core/catalog.ts';
import { openFfmpeg } from '#adapters/media/ffmpeg-core.ts';
import { makeMusic } from './music.ts';
import { hasTool, runNative } from './native.ts';

const TITLES = [
  ...['Slack Water', 'Customs House', 'Eleven Bells', 'Ropewalk', 'Manifest', 'Tallow'],
  ...['Ballast', 'Low Season', 'Breakwater', 'Lamp Room', 'Soundings', 'Harbour Lights Out'],
];
const ALBUM = {
  id: 'bench-album',
  title: 'Paper Lanterns',
  artist: 'The Harbour Clerks',
  year: 2004,
};

export interface BenchAlbum {
  catalog: CatalogFile;
  tracks: Track[];
}

/** Twelve tracks whose lengths differ and are `seconds` on average. */
export function benchAlbum(seconds: number): BenchAlbum {
  const artist = { id: 'bench-artist', name: ALBUM.artist };
  const tracks = TITLES.map((title, n): Track => ({
    ...{
      id: `bench-${n + 1}`,
      album_id: ALBUM.id,
      title,
      artist_id: artist.id,
      artist: ALBUM.artist,
      disc: 1,
    },
    position: n + 1,
    duration_ms: Math.round(seconds * 1000 * (0.75 + (0.5 * n) / (TITLES.length - 1))),
    availability: 'missing',
  }));
  const { id, title, year } = ALBUM;
  const albums = [
    {
      id,
      title,
      artist_id: artist.id,
      artist: artist.name,
      year,
      track_count: tracks.length,
    },
  ];
  return { catalog: { artists: [artist], albums, tracks }, tracks };
}

/** The names that the files of an album have in its archive. */
export const nameOf = ({ position, title }: Track): string => `${String(position).padStart(2, '0')} - ${title}.flac`;

/** The tags that native ffmpeg is to write, as the app writes them from its catalog. */
export const tagsOf = ({ title, position }: Track): string[] => [
  ...[`TITLE=${title}`, `ARTIST=${ALBUM.artist}`, `ALBUM=${ALBUM.title}`, `ALBUMARTIST=${ALBUM.artist}`],
  ...[`TRACKNUMBER=${position}`, `TRACKTOTAL=${TITLES.length}`, `DATE=${ALBUM.year}`],
];

/** Makes the ZIP in `folder`, its path. Deflated, as most albums come. */
export async function makeAlbumZip(folder: string, { tracks }: BenchAlbum): Promise<string> {
  const files = join(folder, 'album');
  await mkdir(files);
  for (const track of tracks) await makeTrack(join(files, nameOf(track)), track);
  const archive = join(folder, 'album.zip');
  await runNative('zip', ['-q', '-j', '-r', '-6', archive, files]);
  await rm(files, { recursive: true });
  return archive;
}

async function makeTrack(path: string, track: Track): Promise<void> {
  const music = makeMusic((track.duration_ms ?? 0) / 1000, track.position);
  const tags = tagsOf(track).flatMap((tag) => ['-metadata', tag.replace('TRACKNUMBER', 'track')]);
  if (!hasTool('ffmpeg')) {
    const inputs = [{ name: 'in.wav', data: music }];
    const { outputs } = await openFfmpeg().run(['-i', 'in.wav', ...tags, 'out.flac'], {
      inputs,
      outputs: ['out.flac'],
    });
    return writeFile(path, outputs.get('out.flac') ?? new Uint8Array());
  }
  const wav = `${path}.wav`;
  await writeFile(wav, music);
  await runNative('ffmpeg', ['-v', 'error', '-y', '-i', wav, ...tags, path]);
  await rm(wav);
  if ((await readFile(path)).length === 0) throw new Error(`${path} was not made.`);
}
