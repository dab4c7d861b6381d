/** Classes of what people collect: records, boxes, books, works, mixes, and folders that were touched by hand. */
import { mojibake } from './damage.ts';
import { whole, type Draft, type Drawn } from './draws.ts';
import type { Kind } from './kind.types.ts';
import { folders, latin, safe, tagsOf, two } from './naming.ts';
import type { Subject, Track, World } from './world.ts';

const oneDisc = ({ album }: Subject): boolean => (album.discs ?? 1) === 1;
const titled = (pattern: RegExp) => (subject: Subject) => subject.tracks.every((track) => pattern.test(track.title));
/** The place of a track counted through all discs, from 1. */
const through = ({ tracks }: Subject, track: Track): number =>
  tracks.filter((one) => one.disc < track.disc || (one.disc === track.disc && one.position <= track.position)).length;
const short = (title: string): string =>
  title
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 6)
    .toUpperCase();

export const COLLECTED: readonly Kind[] = [
  {
    tier: 'core',
    cls: 'record_sides',
    weight: 20,
    draw: whole(
      6,
      14,
      ({ tracks }, track) => {
        const half = Math.ceil(tracks.length / 2);
        const side = track.position > half ? `B${track.position - half}` : `A${track.position}`;
        return { path: `Rip/${side} - ${safe(track.title)}.flac` };
      },
      oneDisc,
    ),
  },
  {
    tier: 'core',
    cls: 'box_with_subtitles',
    weight: 20,
    draw: whole(
      10,
      40,
      ({ album }, track) => ({
        path: `${safe(album.title)}/CD${track.disc} - ${track.disc === 1 ? 'The Early Years' : 'Live and Rare'}/${two(track.position)} ${safe(track.title)}.flac`,
      }),
      ({ album }) => (album.discs ?? 1) > 1,
    ),
  },
  {
    tier: 'core',
    cls: 'numbered_through',
    weight: 20,
    draw: whole(
      10,
      40,
      (subject, track) => ({
        path: `${safe(subject.album.artist)} - ${safe(subject.album.title)}/${two(through(subject, track))} ${safe(track.title)}.mp3`,
      }),
      ({ album }) => (album.discs ?? 1) > 1,
    ),
  },
  {
    tier: 'core',
    cls: 'artist_and_title_unnumbered',
    weight: 20,
    draw: whole(
      5,
      20,
      ({ album }, track) => ({
        path: `VA - ${safe(album.title)}/${safe(track.artist)} - ${safe(track.title)}.mp3`,
      }),
      ({ album }) => album.is_compilation === true,
    ),
  },
  {
    tier: 'core',
    cls: 'shouted_scene_names',
    weight: 20,
    draw: whole(
      5,
      14,
      ({ album }, track) => ({
        path: `${safe(album.title)}/${two(track.position)}-${safe(`${track.artist}-${track.title}`).toUpperCase().replaceAll(' ', '_')}-XYZ.MP3`,
      }),
      latin,
    ),
  },
  {
    tier: 'core',
    cls: 'short_names',
    weight: 20,
    draw: whole(
      7,
      14,
      (_, track) => ({ path: `${two(track.position)}${short(track.title)}~1.MP3` }),
      (subject) => latin(subject) && oneDisc(subject),
    ),
  },
  {
    tier: 'core',
    cls: 'movements',
    weight: 20,
    draw: whole(
      12,
      40,
      ({ album }, track) => ({
        path: `${safe(album.artist)}/${safe(album.title)}/Disc ${track.disc}/${two(track.position)} ${safe(track.title)}.flac`,
      }),
      titled(/^Symphony No/),
    ),
  },
  {
    tier: 'hard',
    cls: 'movements_by_tempo',
    weight: 20,
    draw: whole(
      12,
      40,
      ({ album }, track) => ({
        path: `${safe(album.title)}/CD${track.disc}/${two(track.position)} ${safe(track.title.replace(/^.*: /, ''))}.flac`,
      }),
      titled(/^Symphony No/),
    ),
  },
  {
    tier: 'core',
    cls: 'chapters',
    weight: 20,
    draw: whole(
      12,
      40,
      ({ album }, track) => ({ path: `${safe(album.title)}/Chapter ${two(track.position)}.mp3` }),
      titled(/^Chapter/),
    ),
  },
  {
    tier: 'hard',
    cls: 'numbers_as_titles',
    weight: 15,
    draw: whole(
      8,
      20,
      ({ album }, track) => ({
        path: `${safe(album.artist)} - ${safe(album.title)}/${two(track.position)} - ${track.title}.mp3`,
        tags: { title: track.title, track: track.position, album: album.title },
      }),
      titled(/^\d+$/),
    ),
  },
  {
    tier: 'core',
    cls: 'soundtrack',
    weight: 15,
    draw: whole(
      12,
      20,
      ({ album }, track) => ({
        path: `${safe(album.title.replace(/ \(.*/, ' OST'))}/${two(track.position)} - ${safe(track.title)}.mp3`,
      }),
      ({ album }) => album.title.includes('Soundtrack'),
    ),
  },
  {
    tier: 'hard',
    cls: 'remixes_of_one_song',
    weight: 15,
    draw: whole(
      4,
      8,
      ({ album }, track) => ({ path: `${safe(album.title)}/${two(track.position)} - ${safe(track.title)}.mp3` }),
      ({ album }) => album.title.endsWith('(Remixes)'),
    ),
  },
  {
    tier: 'core',
    cls: 'best_of',
    weight: 15,
    draw: whole(
      8,
      16,
      (subject, track) => ({
        path: `${safe(subject.album.title)}/${two(track.position)} - ${safe(track.title)}.mp3`,
        tags: tagsOf(subject, track),
      }),
      ({ album }) => album.title.startsWith('The Best of'),
    ),
  },
  {
    tier: 'core',
    cls: 'live_double_album',
    weight: 15,
    draw: whole(
      12,
      40,
      ({ album }, track) => ({
        path: `${safe(album.artist)} - ${safe(album.title)}/${track.disc}-${two(track.position)} ${safe(track.title)}.flac`,
      }),
      ({ album }) => album.title.startsWith('Live at the') && (album.discs ?? 1) > 1,
    ),
  },
  {
    tier: 'core',
    cls: 'mojibake_in_tags_alone',
    weight: 15,
    draw: whole(
      5,
      14,
      (subject, track, { random }) => ({
        path: `${folders(subject, random)}/${two(track.position)} ${safe(track.title)}.mp3`,
        tags: { title: mojibake(track.title), artist: mojibake(track.artist), album: mojibake(subject.album.title) },
      }),
      (subject) => /[^\p{ASCII}]/u.test(subject.tracks.map((one) => one.title).join('')),
    ),
  },
  {
    tier: 'hard',
    cls: 'some_lengths_missing',
    weight: 20,
    draw: whole(6, 14, ({ album }, track, { random }) => ({
      path: `${safe(album.artist)} - ${safe(album.title)}/${two(track.position)} ${safe(track.title)}.mp3`,
      ...(random.chance(0.4) ? { duration_ms: null } : {}),
    })),
  },
  { tier: 'hard', cls: 'tags_of_another_album', weight: 25, draw: retagged },
  { tier: 'hard', cls: 'one_stray_file', weight: 25, draw: withStray },
  { tier: 'hard', cls: 'two_albums_in_one_folder', weight: 25, draw: merged },
  { tier: 'hard', cls: 'bonus_disc_unknown', weight: 20, draw: withBonus },
  { tier: 'hard', cls: 'cut_short', weight: 20, draw: cutShort },
];

/** Right names, and the tags of the album that was open in the tagger before. */
function retagged(world: World): Drawn | null {
  const [subject, other] = [world.album(6, 14), world.album(14, 18)];
  if (!subject || !other) return null;
  return {
    drafts: subject.tracks.map((track, index) => ({
      track,
      path: `${safe(subject.album.title)}/${two(track.position)} - ${safe(track.title)}.mp3`,
      tags: tagsOf(other, other.tracks[index] ?? track),
      expect: 'review' as const,
    })),
  };
}

function withStray(world: World): Drawn | null {
  const [subject, other] = [world.album(6, 14), world.album(6, 14)];
  if (!subject || !other || subject.album.id === other.album.id) return null;
  const stray = world.random.pick(other.tracks);
  const folder = folders(subject, world.random);
  const drafts: Draft[] = subject.tracks.map((track) => ({
    track,
    path: `${folder}/${two(track.position)} - ${safe(track.title)}.mp3`,
  }));
  return { drafts: [...drafts, { track: stray, path: `${folder}/${safe(stray.title)}.mp3`, expect: 'review' }] };
}

function merged(world: World): Drawn | null {
  const first = world.album(6, 12, oneDisc);
  const second = first && world.album(6, 12, (one) => oneDisc(one) && one.album.id !== first.album.id);
  if (!first || !second) return null;
  return {
    drafts: [first, second].flatMap((subject) =>
      subject.tracks.map((track) => ({ track, path: `mix/${two(track.position)} ${safe(track.title)}.mp3` })),
    ),
  };
}

/** The album, and the second disc of an edition that nobody entered. */
function withBonus(world: World): Drawn | null {
  const [subject, words] = [world.album(7, 12, oneDisc), world.album(7, 12)];
  if (!subject || !words) return null;
  const folder = safe(`${subject.album.artist} - ${subject.album.title} (Deluxe)`);
  const first: Draft[] = subject.tracks.map((track) => ({
    track,
    path: `${folder}/CD1/${two(track.position)} ${safe(track.title)}.flac`,
    expect: 'review',
  }));
  const second = words.tracks.slice(0, 5).map((track, index): Draft => ({
    track,
    path: `${folder}/CD2/${two(index + 1)} ${safe(subject.tracks[index]?.title ?? '')} (Demo).flac`,
    duration_ms: Math.round((subject.tracks[index]?.duration_ms ?? 0) * (0.8 + 0.4 * world.random.next())),
    absent: true,
    expect: 'reject',
  }));
  return { drafts: [...first, ...second] };
}

/** Downloads that broke off: the right name on half of the piece. */
function cutShort(world: World): Drawn | null {
  const subject = world.album(6, 14);
  if (!subject) return null;
  const folder = folders(subject, world.random);
  const broken = new Set(world.random.shuffle(subject.tracks).slice(0, 2));
  return {
    drafts: subject.tracks.map((track) => ({
      track,
      path: `${folder}/${two(track.position)} - ${safe(track.title)}.mp3`,
      ...(broken.has(track)
        ? { duration_ms: Math.round((track.duration_ms ?? 0) * 0.5), expect: 'review' as const }
        : {}),
    })),
  };
}
