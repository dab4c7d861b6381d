/** Changes that say it is something else: what they touch may not stay approved. */
import type { CaseFile } from '../case.types.ts';
import { safe } from '../naming.ts';
import type { Track } from '../world.ts';
import type { Change, Changed, Drop, Source } from './change.types.ts';
import { renamed, retagged } from './texts.ts';

const change = (kind: string, apply: Change['apply']): Change => ({ kind, carries: true, apply });

const hasTags = ({ style }: Drop): boolean =>
  style !== 'folder and names' && style !== 'all in the name' && style !== 'pile';

/**
 * A length that no encoder makes of this one: 8 s off at the least, 5 to 25 %, and none that the catalog has of another
 * take. Null where eight draws find none.
 */
function anotherTake({ random, world }: Source, track: Track, length: number): number | null {
  const others = world.namesakes(track).flatMap(({ duration_ms }) => duration_ms ?? []);
  for (let n = 0; n < 8; n++) {
    const share = 0.05 + 0.2 * random.next();
    const off = Math.max(8000, length * share);
    const made = Math.round(random.chance(0.6) || off > length * 0.6 ? length + off : length - off);
    if (others.every((other) => Math.abs(other - made) > 5000)) return made;
  }
  return null;
}

const all = (drop: Drop, write: (file: CaseFile) => CaseFile): Changed => ({ drops: [drop.files.map(write)] });

/** Says something other already, by the catalog's own words. */
const SAYS_SO =
  /(?<![a-z])(?:live|ao vivo|en vivo|unplugged|karaoke|instrumental|remix(?:es|ed)?|rmx|tribute|demos?|acoustic|mix+|slowed|sped up|8d|nightcore|version|edit|cover|clean)(?![a-z])/i;
const isPlain = ({ subject }: Drop, world: Source['world']): boolean => {
  const albums = new Set(subject.tracks.map((track) => world.albumTitle(track)));
  return !SAYS_SO.test([...albums, subject.album.artist, ...subject.tracks.map(({ title }) => title)].join(' '));
};

/** Where the catalog has other takes of a track, words and lengths may be those of one. */
const hasOtherTakes = ({ subject }: Drop, world: Source['world']): boolean =>
  subject.tracks.some((track) => world.namesakes(track).length > 0);

/** Another performer in every tag; the folder may go on naming the one who is covered. */
function covered(drop: Drop, performer: string, album: string): Changed {
  return all(drop, (file) => ({
    ...file,
    path: `${safe(album)}/${file.path.slice(file.path.lastIndexOf('/') + 1)}`,
    tags: { ...file.tags, artist: performer, albumartist: performer, album },
  }));
}

function anotherArtist(drop: Drop, { world }: Source): Changed | null {
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  const mine = letters(drop.subject.album.artist);
  const other = world.album(3, 30, ({ album }) => {
    const name = letters(album.artist);
    // Names in Chinese characters are read in several ways: beside others they say nothing.
    const sameScript = /\p{Script=Han}/u.test(name) === /\p{Script=Han}/u.test(mine);
    return sameScript && !album.is_compilation && name.length > 3 && !name.includes(mine) && !mine.includes(name);
  });
  if (!other || !hasTags(drop) || drop.subject.album.is_compilation === true) return null;
  return covered(drop, other.album.artist, drop.subject.album.title);
}

const PERFORMERS = [
  'Vitalis String Quartet',
  'Nora Bell',
  'Midnight Lounge Players',
  'The Starlight Orchestra',
  'Leo Hart',
];

/** A cover album's names contain the original's. */
function tribute(drop: Drop, { random }: Source): Changed | null {
  const { artist, is_compilation, title } = drop.subject.album;
  if (!hasTags(drop) || is_compilation === true || artist.length < 4) return null;
  const album = random.pick([
    `${artist} for Solo Piano`,
    `Symphonic ${artist}`,
    `Plays ${artist}`,
    `Tribute to ${artist}`,
    `The Music of ${artist}`,
    `${title} (Tribute to ${artist})`,
    `${title}: Piano Renditions`,
  ]);
  return covered(drop, random.pick(PERFORMERS), album);
}

/** A performer whose name contains the original's. */
function longerArtist(drop: Drop, { random }: Source): Changed | null {
  const { artist, is_compilation, title } = drop.subject.album;
  if (!hasTags(drop) || is_compilation === true || artist.length < 4) return null;
  const performer = random.pick([
    `${artist} Tribute Band`,
    `The ${artist} Experience`,
    `Symphonic ${artist} Project`,
    `Vitamin ${artist} Players`,
  ]);
  return covered(drop, performer, title);
}

function version(kind: string, words: readonly string[]): Change {
  return change(kind, (drop, { random, world }) => {
    if (!isPlain(drop, world) || hasOtherTakes(drop, world)) return null;
    const put = (
      (mark: string) => (text: string) =>
        `${text} (${mark})`
    )(random.pick(words));
    const named = drop.style !== 'tags alone';
    return all(drop, (file) => {
      const tagged = retagged(file, 'title', put);
      return named ? renamed(tagged, put) : tagged;
    });
  });
}

/** Files of a drop with another take's length; those that have none stay and are not counted. */
function retaken({ files, subject }: Drop, source: Source, chosen: (at: number) => boolean): Changed {
  const told = new Set<string>();
  const changed = files.map((file, at) => {
    const track = subject.tracks[at];
    const length = track && chosen(at) ? anotherTake(source, track, file.duration_ms ?? 0) : null;
    if (length === null) return file;
    told.add(file.file_id);
    return { ...file, duration_ms: length };
  });
  return { drops: [changed], told };
}

export const TELLING: readonly Change[] = [
  change('another take of one file', (drop, source) => {
    const one = source.random.below(drop.files.length);
    return retaken(drop, source, (at) => at === one);
  }),
  change('another take of every file', (drop, source) => retaken(drop, source, () => true)),
  change('another artist', anotherArtist),
  change('a tribute', tribute),
  change('a longer artist name', longerArtist),
  change('a live album', (drop, { random, world }) => {
    if (!isPlain(drop, world) || hasOtherTakes(drop, world)) return null;
    const live = (text: string): string => `${text} (Live in Berlin)`;
    const concert = all(drop, (file) => {
      const tagged = retagged(retagged(file, 'album', live), 'title', random.chance(0.5) ? live : (text) => text);
      const path = drop.style === 'folder and names' ? tagged.path.replace('/', ' (Live)/') : tagged.path;
      const length = (file.duration_ms ?? 0) * (1.02 + 0.15 * random.next()) + 4000;
      return { ...tagged, path, duration_ms: Math.round(length) };
    });
    return concert;
  }),
  version('live titles', ['Live', 'Live at Wembley', 'Unplugged', 'Ao Vivo']),
  version('another version', [
    'Karaoke',
    'Karaoke Version',
    'Instrumental',
    'Acoustic',
    'Demo',
    'Nightcore',
    '8D Audio',
  ]),
  version('clean', ['Clean', 'Clean Version']),
  version('remix', ['Nightmoth Remix', 'Radio Edit', 'Extended Mix', 'Club Mix']),
];
