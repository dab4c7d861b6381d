/**
 * Labelled cases made from a catalog: what people really drop, one function a class. The form is that of
 * `accession match --cases`, with the truth beside it. `review` and `reject` say that nothing should be committed.
 */
import type { CatalogFile } from '#core/music/catalog.ts';
import type { FileTags } from '#core/music/evidence.ts';
import { damage, leet, mojibake, romanise } from './damage.ts';
import { seeded, type Random } from './random.ts';

type Track = CatalogFile['tracks'][number];
type Album = CatalogFile['albums'][number];

export interface CaseFile {
  file_id: string;
  path: string;
  duration_ms: number | null;
  tags: FileTags;
}
export interface Truth {
  file_id: string;
  track_id: string | null;
  expect: 'commit' | 'review' | 'reject';
  also_ok: string[];
}
export interface LabelledCase {
  case_id: string;
  tier: 'core' | 'hard';
  cls: string;
  context: { type: 'spontaneous' | 'download_request'; request_album_id?: string };
  files: CaseFile[];
  truth: Truth[];
}

interface Subject {
  album: Album;
  tracks: Track[];
}

/** A file before it gets its id. */
interface Draft {
  track: Track;
  path: string;
  tags?: FileTags;
  /** Milliseconds; the track's with the error of an encoder when left out. */
  duration_ms?: number | null;
  expect?: Truth['expect'];
  /** The catalog does not have it. */
  absent?: boolean;
}

interface Kind {
  tier: LabelledCase['tier'];
  cls: string;
  /** In a thousand. */
  weight: number;
  draw(world: World): { drafts: Draft[]; request?: string } | null;
}

class World {
  readonly random: Random;
  readonly albums: Subject[];
  readonly #twins: Map<string, string[]>;

  constructor(catalog: CatalogFile, random: Random) {
    this.random = random;
    const of = new Map<string, Track[]>();
    for (const track of catalog.tracks) of.set(track.album_id, [...(of.get(track.album_id) ?? []), track]);
    this.albums = catalog.albums.flatMap((album) => {
      const tracks = of.get(album.id) ?? [];
      return tracks.length > 0 ? [{ album, tracks }] : [];
    });
    this.#twins = twinsOf(catalog.tracks);
  }

  /** An album of so many tracks. */
  album(least: number, most: number, fits: (subject: Subject) => boolean = () => true): Subject | null {
    for (let n = 0; n < 400; n++) {
      const subject = this.random.pick(this.albums);
      if (subject.tracks.length >= least && subject.tracks.length <= most && fits(subject)) return subject;
    }
    return null;
  }

  /** The same recording on other albums: an equal answer. */
  equals(track: Track): string[] {
    return (this.#twins.get(track.title) ?? []).filter((id) => id !== track.id);
  }
}

/** Tracks of one title and artist whose lengths are within three seconds, by title. */
function twinsOf(tracks: readonly Track[]): Map<string, string[]> {
  const groups = new Map<string, Track[]>();
  for (const track of tracks) {
    const name = `${track.title} ${track.artist}`;
    groups.set(name, [...(groups.get(name) ?? []), track]);
  }
  const twins = new Map<string, string[]>();
  for (const group of groups.values()) {
    const [first] = group;
    if (group.length < 2 || !first) continue;
    const near = group.filter((one) => Math.abs((one.duration_ms ?? 0) - (first.duration_ms ?? 0)) <= 3000);
    if (near.length > 1) twins.set(first.title, [...(twins.get(first.title) ?? []), ...near.map((one) => one.id)]);
  }
  return twins;
}

const two = (n: number): string => String(n).padStart(2, '0');
const safe = (name: string): string => name.replaceAll(/[/\\:*?"<>|]/g, '_');
const tagsOf = ({ album, tracks }: Subject, track: Track): FileTags => ({
  title: track.title,
  artist: track.artist,
  album: album.title,
  albumartist: album.artist,
  track: track.position,
  tracktotal: tracks.filter((one) => one.disc === track.disc).length,
  ...(album.year ? { year: album.year } : {}),
});
const latin = ({ album, tracks }: Subject): boolean =>
  /^[\p{Script=Latin}\P{L}]+$/u.test(album.title + album.artist + tracks.map((one) => one.title).join(''));
const foreign = (subject: Subject): boolean =>
  !/[A-Za-z]/.test(subject.album.title) &&
  /\p{L}/u.test(subject.album.title) &&
  subject.tracks.every((one) => !/[A-Za-z]{4}/.test(one.title));

const folders = (subject: Subject, random: Random): string => {
  const { title, artist, year } = subject.album;
  return safe(
    random.pick(
      [
        `${artist} - ${title} (${year})`,
        `${title}`,
        `[${year}] ${title}`,
        `${artist} - ${title} [FLAC]`,
        `${artist}/${title}`,
      ].map((one) => one.replaceAll('/', '⁄')),
    ),
  ).replaceAll('⁄', '/');
};

/** Most classes: an album whose names and tags are written in one way. */
function whole(
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

const KINDS: readonly Kind[] = [
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
];

function part(world: World): { drafts: Draft[] } | null {
  const subject = world.album(6, 18);
  if (!subject) return null;
  const some = world.random.shuffle(subject.tracks).slice(0, 3 + world.random.below(3));
  const folder = folders(subject, world.random);
  return {
    drafts: some.map((track) => ({ track, path: `${folder}/${two(track.position)} - ${safe(track.title)}.mp3` })),
  };
}

function single(world: World): { drafts: Draft[] } | null {
  const subject = world.album(3, 18);
  if (!subject) return null;
  const track = world.random.pick(subject.tracks);
  return { drafts: [{ track, path: safe(`${track.artist} - ${track.title}.mp3`) }] };
}

function twice(world: World): { drafts: Draft[] } | null {
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

function shuffled(world: World): { drafts: Draft[] } | null {
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

function requested(world: World): { drafts: Draft[]; request: string } | null {
  const subject = world.album(6, 16, ({ album }) => album.discs === 1);
  if (!subject) return null;
  return {
    request: subject.album.id,
    drafts: subject.tracks.map((track) => ({ track, path: `New Folder/track${two(track.position)}.mp3` })),
  };
}

/** An album that nobody entered: another one's words and lengths, shuffled. */
function absent(world: World): { drafts: Draft[] } | null {
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

function edit(world: World): { drafts: Draft[] } | null {
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

function pile(world: World): { drafts: Draft[] } {
  const drafts: Draft[] = [];
  for (let n = 0; n < 12; n++) {
    const subject = world.album(3, 18);
    const track = subject && world.random.pick(subject.tracks);
    if (track) drafts.push({ track, path: safe(`${track.artist} - ${track.title}.mp3`) });
  }
  return { drafts };
}

/** So many cases of the classes in their proportions; a class that the catalog cannot give is left out. */
export function makeCases(catalog: CatalogFile, options: { seed: number; cases: number }): LabelledCase[] {
  const out: LabelledCase[] = [];
  const total = KINDS.reduce((sum, kind) => sum + kind.weight, 0);
  KINDS.forEach((kind, number) => {
    const world = new World(catalog, seeded(options.seed + number * 7919));
    const count = Math.max(1, Math.round((options.cases * kind.weight) / total));
    for (let n = 0; n < count; n++) {
      const drawn = kind.draw(world);
      if (drawn && drawn.drafts.length > 0) out.push(label(`${kind.cls}-${n}`, kind, drawn, world));
    }
  });
  return out;
}

function label(id: string, kind: Kind, drawn: { drafts: Draft[]; request?: string }, world: World): LabelledCase {
  const files: CaseFile[] = [];
  const truth: Truth[] = [];
  world.random.shuffle(drawn.drafts).forEach((draft, index) => {
    const file_id = `${id}-f${index}`;
    const exact =
      draft.duration_ms === undefined ? encoded(world.random, draft.track.duration_ms ?? null) : draft.duration_ms;
    files.push({ file_id, path: draft.path, duration_ms: exact, tags: draft.tags ?? {} });
    const equals = draft.absent ? [] : world.equals(draft.track);
    // Another edition has the same recording: the product asks which one, unless something names it.
    const unsaid = equals.length > 0 && !(draft.tags?.album || drawn.request);
    truth.push({
      file_id,
      track_id: draft.absent ? null : draft.track.id,
      expect: draft.expect ?? (unsaid ? 'review' : 'commit'),
      also_ok: equals,
    });
  });
  const context: LabelledCase['context'] = drawn.request
    ? { type: 'download_request', request_album_id: drawn.request }
    : { type: 'spontaneous' };
  return { case_id: id, tier: kind.tier, cls: kind.cls, context, files, truth };
}

/** Encoders add a few hundredths of a second, catalogs round. */
function encoded(random: Random, length: number | null): number | null {
  return length === null ? null : Math.max(1000, Math.round(length + 300 * random.normal()));
}
