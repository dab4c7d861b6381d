/** The classes of cases, with how often each comes. */
import { damage, leet, mojibake, romanise } from './damage.ts';
import { absent, edit, part, pile, requested, shuffled, single, twice, whole } from './draws.ts';
import type { Kind } from './kind.types.ts';
import { ABSENT } from './kinds-absent.ts';
import { COLLECTED } from './kinds-collected.ts';
import { folders, foreign, latin, safe, tagsOf, two } from './naming.ts';

export const KINDS: readonly Kind[] = [
  {
    tier: 'core',
    cls: 'tagged',
    weight: 60,
    draw: whole(3, 18, (subject, track, { random }) => ({
      path: `${folders(subject, random)}/${two(track.position)} - ${safe(track.title)}.flac`,
      tags: tagsOf(subject, track),
    })),
  },
  {
    tier: 'core',
    cls: 'number_and_title',
    weight: 60,
    draw: whole(3, 18, (_, track) => ({ path: `New Folder/${two(track.position)} ${safe(track.title)}.mp3` })),
  },
  {
    tier: 'core',
    cls: 'everything_in_the_name',
    weight: 60,
    draw: whole(3, 18, ({ album }, track) => ({
      path: safe(`${track.artist} - ${album.title} - ${two(track.position)} ${track.title}.ogg`),
    })),
  },
  {
    tier: 'core',
    cls: 'scene_names',
    weight: 50,
    draw: whole(
      4,
      14,
      ({ album }, track) => ({
        path: `${safe(album.artist)}-${safe(album.title)}-WEB-${album.year}-GRP/${`${two(track.position)}-${safe(track.artist)}-${safe(track.title)}`.toLowerCase().replaceAll(' ', '_')}.mp3`,
      }),
      latin,
    ),
  },
  {
    tier: 'core',
    cls: 'lengths_only',
    weight: 50,
    draw: whole(
      7,
      14,
      (_, track) => ({ path: `Unknown Album/track${two(track.position)}.mp3` }),
      ({ album }) => album.discs === 1,
    ),
  },
  {
    tier: 'core',
    cls: 'damaged',
    weight: 60,
    draw: whole(5, 14, (_, track, { random }) => ({
      path: `upload/${two(track.position)} - ${safe(damage(random, track.title, 0.12))}.flac`,
    })),
  },
  {
    tier: 'core',
    cls: 'leet',
    weight: 30,
    draw: whole(
      6,
      14,
      ({ album }, track, { random }) => ({
        path: safe(
          `${leet(random, album.artist)} - ${leet(random, album.title)} - ${two(track.position)} - ${leet(random, track.title)}.mp3`,
        ),
      }),
      latin,
    ),
  },
  {
    tier: 'core',
    cls: 'romanised',
    weight: 50,
    draw: whole(
      5,
      14,
      ({ album }, track) => ({
        path: safe(
          `${romanise(album.artist)} - ${romanise(album.title)} - ${two(track.position)} - ${romanise(track.title)}.ogg`,
        ),
      }),
      foreign,
    ),
  },
  {
    tier: 'core',
    cls: 'native_script',
    weight: 40,
    draw: whole(
      5,
      14,
      ({ album }, track) => ({ path: `${safe(album.title)}/${two(track.position)} - ${safe(track.title)}.mp3` }),
      foreign,
    ),
  },
  {
    tier: 'core',
    cls: 'mojibake',
    weight: 40,
    draw: whole(
      4,
      14,
      ({ album }, track) => ({
        path: safe(`upload/${two(track.position)}.mp3`).replace('_', '/'),
        tags: {
          title: mojibake(track.title),
          artist: mojibake(track.artist),
          album: mojibake(album.title),
          track: track.position,
        },
      }),
      (subject) =>
        latin(subject) && /[^\p{ASCII}]/u.test(subject.album.title + subject.tracks.map((one) => one.title).join('')),
    ),
  },
  { tier: 'core', cls: 'part_of_an_album', weight: 50, draw: (world) => part(world) },
  { tier: 'core', cls: 'one_file', weight: 60, draw: (world) => single(world) },
  {
    tier: 'core',
    cls: 'several_discs',
    weight: 40,
    draw: whole(
      10,
      40,
      ({ album }, track) => ({
        path: `${safe(album.artist)} - ${safe(album.title)}/CD${track.disc}/${two(track.position)} - ${safe(track.title)}.flac`,
      }),
      ({ album }) => (album.discs ?? 1) > 1,
    ),
  },
  {
    tier: 'core',
    cls: 'various_artists',
    weight: 40,
    draw: whole(
      5,
      20,
      ({ album }, track) => ({
        path: `VA - ${safe(album.title)}/${two(track.position)} - ${safe(track.artist)} - ${safe(track.title)}.mp3`,
      }),
      ({ album }) => album.is_compilation === true && (album.discs ?? 1) === 1,
    ),
  },
  {
    tier: 'core',
    cls: 'wrong_tags',
    weight: 30,
    draw: whole(6, 14, (_, track) => ({
      path: `${track.position} - ${safe(track.title)}.m4a`,
      tags: { title: `Track ${track.position}`, artist: 'Unknown Artist', album: 'Unknown Album' },
    })),
  },
  { tier: 'core', cls: 'two_formats', weight: 30, draw: (world) => twice(world) },
  { tier: 'core', cls: 'shuffled_numbers', weight: 30, draw: (world) => shuffled(world) },
  { tier: 'core', cls: 'for_a_request', weight: 40, draw: (world) => requested(world) },
  { tier: 'core', cls: 'not_in_the_catalog', weight: 90, draw: (world) => absent(world) },
  {
    tier: 'hard',
    cls: 'no_lengths',
    weight: 40,
    draw: whole(5, 14, ({ album }, track, { random }) => ({
      path: safe(
        `${album.artist} - ${damage(random, album.title, 0.05)} - ${two(track.position)} - ${damage(random, track.title, 0.05)}.m4a`,
      ),
      duration_ms: null,
    })),
  },
  {
    tier: 'hard',
    cls: 'vinyl_speed',
    weight: 30,
    draw: whole(
      6,
      14,
      (_, track, world, index) => ({
        path: `${index < 6 ? 'A' : 'B'}${(index % 6) + 1} ${safe(track.title)}.flac`,
        duration_ms: Math.round((track.duration_ms ?? 0) * (world.random.chance(0.5) ? 1.021 : 1.021)),
      }),
      ({ album }) => album.discs === 1,
    ),
  },
  {
    tier: 'hard',
    cls: 'bootleg',
    weight: 60,
    draw: whole(5, 14, ({ album }, track, { random }) => ({
      path: `${safe(album.artist)} - 1986-02-04 Austin (SBD)/${two(track.position)} - ${safe(track.title)} [live].flac`,
      duration_ms: Math.round((track.duration_ms ?? 0) * (1.05 + 0.2 * random.next())),
      expect: 'reject',
      absent: true,
    })),
  },
  {
    tier: 'hard',
    cls: 'cover_version',
    weight: 50,
    draw: whole(4, 8, (_, track, { random }) => ({
      path: safe(`Karaoke Allstars - ${track.title}.ogg`),
      duration_ms: Math.round((track.duration_ms ?? 0) + 9000 * random.normal()),
      expect: 'reject',
      absent: true,
    })),
  },
  { tier: 'hard', cls: 'radio_edit', weight: 40, draw: (world) => edit(world) },
  { tier: 'hard', cls: 'pile', weight: 50, draw: (world) => pile(world) },
  {
    tier: 'hard',
    cls: 'heavy_damage',
    weight: 40,
    draw: whole(
      7,
      14,
      (_, track, { random }) => ({ path: `${safe(leet(random, damage(random, track.title, 0.25)))}.mp3` }),
      latin,
    ),
  },
  ...COLLECTED,
  ...ABSENT,
];
