/** Drops that are more than an album whose files are named in one way. */
import type { FileTags } from '#core/media.ts';
import type { Truth } from './case.types.ts';
import { folders, safe, two } from './naming.ts';
import type { Subject, Track, World } from './world.ts';

/** A file before it gets its id. */
export interface Draft {
  track: Track;
  path: string;
  tags?: FileTags;
  /** Milliseconds; the track's with the error of an encoder when left out. */
  duration_ms?: number | null;
  expect?: Truth['expect'];
  /** The catalog does not have it. */
  absent?: boolean;
}

export interface Drawn {
  drafts: Draft[];
  /** Album that a request wants. */
  request?: string;
}

/** Most classes: an album whose names and tags are written in one way. */
export function whole(
  least: number,
  most: number,
  write: (subject: Subject, track: Track, world: World, index: number) => Omit<Draft, 'track'>,
  fits?: (subject: Subject) => boolean,
) {
  return (world: World): { drafts: Draft[] } | null => {
    const subject = world.album(least, most, fits);
    return (
      subject && { drafts: subject.tracks.map((track, index) => ({ track, ...write(subject, track, world, index) })) }
    );
  };
}

export function part(world: World): { drafts: Draft[] } | null {
  const subject = world.album(6, 18);
  if (!subject) return null;
  const some = world.random.shuffle(subject.tracks).slice(0, 3 + world.random.below(3));
  const folder = folders(subject, world.random);
  return {
    drafts: some.map((track) => ({ track, path: `${folder}/${two(track.position)} - ${safe(track.title)}.mp3` })),
  };
}

export function single(world: World): { drafts: Draft[] } | null {
  const subject = world.album(3, 18);
  if (!subject) return null;
  const track = world.random.pick(subject.tracks);
  return { drafts: [{ track, path: safe(`${track.artist} - ${track.title}.mp3`) }] };
}

export function twice(world: World): { drafts: Draft[] } | null {
  const subject = world.album(5, 12);
  if (!subject) return null;
  const folder = safe(subject.album.title);
  return {
    drafts: subject.tracks.flatMap((track) => [
      { track, path: `${folder}/${two(track.position)} ${safe(track.title)}.flac` },
      { track, path: `${folder}/${two(track.position)} ${safe(track.title)}.mp3` },
    ]),
  };
}

export function shuffled(world: World): { drafts: Draft[] } | null {
  const subject = world.album(6, 14, ({ album }) => album.discs === 1);
  if (!subject) return null;
  const numbers = world.random.shuffle(subject.tracks.map((track) => track.position));
  const folder = folders(subject, world.random);
  return {
    drafts: subject.tracks.map((track, index) => ({
      track,
      path: `${folder}/${two(numbers[index] ?? 0)} - ${safe(track.title)}.mp3`,
    })),
  };
}

export function requested(world: World): { drafts: Draft[]; request: string } | null {
  const subject = world.album(6, 16, ({ album }) => album.discs === 1);
  if (!subject) return null;
  return {
    request: subject.album.id,
    drafts: subject.tracks.map((track) => ({ track, path: `New Folder/track${two(track.position)}.mp3` })),
  };
}

/** An album that nobody entered: another one's words and lengths, shuffled. */
export function absent(world: World): { drafts: Draft[] } | null {
  const subject = world.album(5, 14);
  const other = world.album(5, 14, (one) => one.album.artist_id !== subject?.album.artist_id);
  if (!subject || !other) return null;
  const words = world.random.shuffle(subject.tracks.flatMap((track) => track.title.split(' ')));
  const name = (index: number): string => words.slice(index % words.length, (index % words.length) + 2).join(' ');
  return {
    drafts: other.tracks.map((track, index) => ({
      track,
      absent: true,
      expect: 'reject' as const,
      path: safe(`${subject.album.artist} - ${name(3)} - ${two(track.position)} - ${name(index)}.mp3`),
      duration_ms: Math.round(60_000 + 300_000 * world.random.next()),
    })),
  };
}

export function edit(world: World): { drafts: Draft[] } | null {
  const subject = world.album(3, 18);
  if (!subject) return null;
  const track = world.random.pick(subject.tracks);
  return {
    drafts: [
      {
        track,
        absent: true,
        expect: 'reject',
        path: safe(`${track.artist} - ${track.title} (Radio Edit).mp3`),
        duration_ms: Math.round((track.duration_ms ?? 0) * (0.6 + 0.25 * world.random.next())),
      },
    ],
  };
}

export function pile(world: World): { drafts: Draft[] } {
  const drafts: Draft[] = [];
  for (let n = 0; n < 12; n++) {
    const subject = world.album(3, 18);
    const track = subject && world.random.pick(subject.tracks);
    if (track) drafts.push({ track, path: safe(`${track.artist} - ${track.title}.mp3`) });
  }
  return { drafts };
}
