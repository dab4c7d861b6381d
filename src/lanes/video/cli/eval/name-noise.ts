/** Changes of a name that carry no information: season, episodes, day and title must stay as they were read. */
import { readName } from '#lanes/video/core/names/read-name.ts';
import { plainTitle } from '#lanes/video/core/names/season-folder.ts';
import type { NameReading } from '#lanes/video/core/folder-reading.ts';

/** A name apart: folders with their slash, the name, the extension with its dot. */
interface Parts {
  above: string;
  name: string;
  extension: string;
}

export interface Noise {
  kind: string;
  /** Null where the change does not fit the name. `pick` takes one of a list. */
  change: (parts: Parts, pick: <T>(from: readonly T[]) => T) => Parts | null;
}

const renamed = (parts: Parts, name: string): Parts => ({ ...parts, name });
/** A dotted name has dots for spaces, an underscored one underscores. */
const joinOf = (name: string): string =>
  /\s/.test(name) ? ' ' : name.includes('_') && !name.includes('.') ? '_' : '.';
const behind =
  (words: readonly string[]): Noise['change'] =>
  (parts, pick) => {
    // Brackets side by side have no words behind them.
    if (/^[^\s._]*\]$/.test(parts.name)) return null;
    const join = joinOf(parts.name);
    return renamed(parts, `${parts.name}${join}${pick(words).replaceAll(' ', join)}`);
  };

/** A release of a scene group ends with its group; what follows that is no part of such a name. */
const endsInGroup = /-[A-Za-z0-9]{2,12}$/;
const isAscii = /^[ -~]*$/;

export const NOISES: readonly Noise[] = [
  {
    kind: 'quality',
    change: behind(['1080p', '720p', '2160p', '480p', '1080p x264', '720p HEVC', '[1080p]', '(720p)']),
  },
  {
    kind: 'source',
    change: behind(['WEB-DL', 'BluRay', 'HDTV x264', 'WEBRip', 'DVDRip XviD', 'BDRip 10bit', 'AMZN WEB-DL']),
  },
  { kind: 'sound', change: behind(['x264 AAC', 'DDP5.1 H.264', 'DTS-HD MA 5.1 x265', 'x265 FLAC', 'x264 AC3']) },
  {
    kind: 'checksum',
    change: (parts, pick) =>
      /^\[/.test(parts.name) ? behind(['[3A7C10EF]', '[E0512345]', '[00E07012]'])(parts, pick) : null,
  },
  { kind: 'picture', change: behind(['[1920x1080]', '1280x720', '(848x480)']) },
  { kind: 'edition', change: behind(['REPACK 720p', 'PROPER 1080p WEB', 'UNCUT 1080p', 'EXTENDED 720p WEB-DL']) },
  {
    kind: 'language',
    change: behind(['GERMAN 720p', 'FRENCH 1080p WEB', 'MULTi 1080p', 'DUAL AUDIO 720p', 'iTALiAN 720p HDTV']),
  },
  { kind: 'site', change: behind(['[site.org]', '[eztv.re]', '(www.example.com)']) },
  {
    kind: 'site in front',
    change: (parts, pick) => {
      const tag = pick(['[www.example.com] ', 'www.example.org - ', '[site.net] - ']);
      return /^[[(【{]|www/.test(parts.name) ? null : renamed(parts, `${tag}${parts.name}`);
    },
  },
  {
    kind: 'group',
    change: (parts, pick) =>
      endsInGroup.test(parts.name) || !/(?:x|h\.?)26[45]|xvid/i.test(parts.name)
        ? null
        : renamed(parts, `${parts.name}-${pick(['LOTUS', 'KELPIE', 'OAK', 'TORF'])}`),
  },
  {
    kind: 'copy',
    change: (parts, pick) => renamed(parts, `${parts.name}${pick([' - Copy', ' (1)', ' (2)', ' copy', ' - Kopie'])}`),
  },
  {
    kind: 'separators',
    change: (parts, pick) => {
      const { name } = parts;
      // A dot between digits, an initial's dot and a dash of a title say something themselves.
      if (!isAscii.test(name) || /[[\]()_.,&+'#]|-\S|\S-|\d \d|^\d/.test(name)) return null;
      return renamed(parts, name.replaceAll(' ', pick(['.', '_'])));
    },
  },
  {
    kind: 'case',
    change: (parts, pick) => (isAscii.test(parts.name) ? renamed(parts, pick([lower, upper])(parts.name)) : null),
  },
  {
    kind: 'spaces',
    change: (parts) => (/\s/.test(parts.name) ? renamed(parts, parts.name.replaceAll(' ', '  ')) : null),
  },
  {
    kind: 'brackets',
    change: (parts) => {
      const turned = parts.name.replace(/\[([^[\]()]*(?:\d{3,4}p|x26[45])[^[\]()]*)\]/gi, '($1)');
      return turned === parts.name ? null : renamed(parts, turned);
    },
  },
  {
    kind: 'extension',
    change: (parts, pick) => (parts.extension === '' ? null : { ...parts, extension: pick(['.mkv', '.mp4', '.avi']) }),
  },
];

const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();

function partsOf(path: string): Parts {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const whole = path.slice(at);
  const extension = /\.(?:mkv|mp4|avi|m4v|webm|mov|ts|mpg|wmv)$/i.exec(whole)?.[0] ?? '';
  return { above: path.slice(0, at), name: whole.slice(0, whole.length - extension.length), extension };
}

type Said = Pick<NameReading, 'title' | 'season' | 'episodes' | 'date'>;

const placeOf = ({ season, episodes, date }: Said): string => JSON.stringify([season, episodes, date]);
const wordsOf = ({ title }: Said): string => plainTitle(title ?? '').replaceAll(' ', '');

/** What one change of one name did. */
export interface Changed {
  kind: string;
  path: string;
  /** Season, episodes or day are others than before. */
  place: boolean;
  title: boolean;
}

/** @param random 0..1, seeded @returns the first of the changes, tried from one at random, that fits the name */
export function changeAtRandom(path: string, random: () => number): Changed | null {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const parts = partsOf(path);
  // A scrambled name says nothing; with words behind it, it is no scrambled name any more.
  if (readName(parts.name, { isPath: false }).type === 'unknown') return null;
  const first = Math.floor(random() * NOISES.length);
  for (let step = 0; step < NOISES.length; step++) {
    const noise = NOISES[(first + step) % NOISES.length];
    const changed = noise?.change(parts, pick) ?? null;
    if (noise === undefined || changed === null) continue;
    const other = `${changed.above}${changed.name}${changed.extension}`;
    const [before, after] = [readName(path), readName(other)];
    return {
      kind: noise.kind,
      path: other,
      place: placeOf(before) !== placeOf(after),
      title: wordsOf(before) !== wordsOf(after),
    };
  }
  return null;
}

/**
 * Shares of changed names whose place (`noise.place`) or title (`noise.title`) became another, over `rounds` changes of each
 * path, and by kind of change where it is not 0; `noise.changed` is how many were made.
 */
export function noiseFigures(paths: readonly string[], rounds: number, random: () => number): Record<string, number> {
  const changes = paths.flatMap((path) =>
    Array.from({ length: rounds }, () => changeAtRandom(path, random)).filter((one) => one !== null),
  );
  const share = (of: readonly Changed[], key: 'place' | 'title'): number =>
    of.length === 0 ? 0 : of.filter((one) => one[key]).length / of.length;
  const kinds = [...Map.groupBy(changes, ({ kind }) => kind)].flatMap(([kind, of]) =>
    (['place', 'title'] as const).map((key) => [`noise.${kind}.${key}`, share(of, key)] as const),
  );
  return {
    'noise.changed': changes.length,
    'noise.place': share(changes, 'place'),
    'noise.title': share(changes, 'title'),
    ...Object.fromEntries(kinds.filter(([, value]) => value > 0)),
  };
}
