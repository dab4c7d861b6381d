/** Classes of what the catalog does not have, but nearly: another performance, another mix, another artist. */
import { whole, type Draft } from './draws.ts';
import type { Kind } from './kind.types.ts';
import { safe, tagsOf, two } from './naming.ts';
import type { Subject, Track, World } from './world.ts';

/** An album whose every file the catalog does not have. */
function notThere(
  weight: number,
  cls: string,
  write: (subject: Subject, track: Track, world: World, index: number) => Omit<Draft, 'track'>,
  least = 5,
  most = 14,
): Kind {
  return {
    tier: 'hard',
    cls,
    weight,
    draw: whole(least, most, (subject, track, world, index) => ({
      ...write(subject, track, world, index),
      absent: true,
      expect: 'reject',
    })),
  };
}

const times = (track: Track, factor: number): number => Math.round((track.duration_ms ?? 200_000) * factor);
const plus = (track: Track, world: World, seconds: number): number =>
  Math.max(20_000, Math.round((track.duration_ms ?? 0) + 1000 * seconds * world.random.normal()));

export const ABSENT: readonly Kind[] = [
  notThere(25, 'recorded_again', ({ album }, track, world) => ({
    path: `${safe(album.artist)} - ${safe(album.title)} (${safe(album.artist)}'s Version)/${two(track.position)} ${safe(track.title)} (${safe(album.artist)}'s Version).flac`,
    duration_ms: plus(track, world, 3),
  })),
  notThere(20, 'recorded_again_in_the_folder', ({ album }, track, world) => ({
    path: `${safe(album.artist)} - ${safe(album.title)} (2021 Re-recorded)/${two(track.position)} ${safe(track.title)}.flac`,
    duration_ms: plus(track, world, 3),
  })),
  notThere(20, 'tribute_album', ({ album }, track, world) => ({
    path: `A Tribute to ${safe(album.artist)}/${two(track.position)} ${safe(track.title)}.mp3`,
    duration_ms: plus(track, world, 6),
    tags: { title: track.title, artist: 'The Tribute Players', album: `A Tribute to ${album.artist}` },
  })),
  notThere(25, 'instrumental_album', ({ album }, track, world) => ({
    path: `${safe(album.title)} (Instrumentals)/${two(track.position)} ${safe(track.title)}.mp3`,
    duration_ms: plus(track, world, 0.4),
  })),
  notThere(20, 'instrumental_titles', (_, track, world) => ({
    path: `${two(track.position)} ${safe(track.title)} (Instrumental).mp3`,
    duration_ms: plus(track, world, 0.4),
  })),
  notThere(20, 'remix_album', ({ album }, track, world) => ({
    path: `${safe(album.title)} Remixed/${two(track.position)} ${safe(track.title)} (${safe(world.random.pick(['Kollektiv', 'Dub Office', 'Nightmoth']))} Remix).mp3`,
    duration_ms: times(track, 1.1 + 0.3 * world.random.next()),
  })),
  notThere(20, 'demos', ({ album }, track, world) => ({
    path: `${safe(album.artist)} - ${safe(album.title)} Demos/${two(track.position)} ${safe(track.title)} (Demo).mp3`,
    duration_ms: plus(track, world, 5),
  })),
  notThere(20, 'nightcore', (_, track) => ({
    path: `${safe(track.artist)} - ${safe(track.title)} (Nightcore).mp3`,
    duration_ms: times(track, 0.8),
  })),
  notThere(20, 'slowed', (_, track) => ({
    path: `${safe(track.title)} (slowed + reverb).mp3`,
    duration_ms: times(track, 1.05),
  })),
  notThere(20, 'eight_d', (_, track, world) => ({
    path: `${safe(track.artist)} - ${safe(track.title)} (8D Audio).mp3`,
    duration_ms: plus(track, world, 0.5),
  })),
  notThere(20, 'unplugged_tape', ({ album }, track, world) => ({
    path: `${safe(album.artist)} - FM Broadcast 1994/${two(track.position)} ${safe(track.title)}.mp3`,
    duration_ms: plus(track, world, 12),
  })),
  notThere(20, 'covered_album', ({ album }, track, world) => ({
    path: `Velvet Kazoos - The ${safe(album.title)} Sessions/${two(track.position)} ${safe(track.title)}.mp3`,
    duration_ms: plus(track, world, 8),
    tags: { title: track.title, artist: 'Velvet Kazoos', track: track.position },
  })),
  notThere(20, 'covered_to_the_second', (_, track, world) => ({
    path: `Velvet Kazoos - ${two(track.position)} - ${safe(track.title)}.mp3`,
    duration_ms: plus(track, world, 1),
    tags: { title: track.title, artist: 'Velvet Kazoos', album: 'Kazoo Party', track: track.position },
  })),
  notThere(20, 'voice_notes', (_, _track, { random }, index) => ({
    path: `Recordings/Voice ${String(index + 1).padStart(3, '0')}.m4a`,
    duration_ms: Math.round(20_000 + 280_000 * random.next()),
  })),
  notThere(20, 'podcast', ({ album }, _track, { random }, index) => ({
    path: `The ${safe(album.title)} Podcast/Episode ${index + 1}.mp3`,
    duration_ms: Math.round(1_200_000 + 2_400_000 * random.next()),
    tags: { title: `Episode ${index + 1}`, artist: `The ${album.title} Podcast`, track: index + 1 },
  })),
  notThere(20, 'same_titles_by_another', (_, track, { random }) => ({
    path: `Ozu Fernweh - Nullpunkt/${two(track.position)} ${safe(track.title.split(' ')[0] ?? '')}.mp3`,
    duration_ms: Math.round(120_000 + 200_000 * random.next()),
  })),
  notThere(20, 'live_with_the_tags_of_the_album', (subject, track, world) => ({
    path: `${safe(subject.album.artist)} Live 1991/${two(track.position)} ${safe(track.title)}.mp3`,
    duration_ms: times(track, 1.03 + 0.15 * world.random.next()),
    tags: tagsOf(subject, track),
  })),
];
