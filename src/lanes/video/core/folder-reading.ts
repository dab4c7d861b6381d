/** What a whole folder of a show is recognised as. */
import type * as v from 'valibot';
import { extensionOf } from '#core/plan/plan-path.ts';
import type { PlanSource } from '#core/plan/plan.ts';
import type { RecognizedFolderSchema } from './recognize-protocol.ts';

/** What a file's name (or path) alone says of a video. */
export interface NameReading {
  /** `extra`: a sample, opening, trailer, featurette or other bonus; never an episode. `unknown`: nothing can be said. */
  type: 'episode' | 'movie' | 'extra' | 'unknown';
  title: string | null;
  /** A list where the name says several (a pack of seasons). 0: specials. */
  season: number | number[] | null;
  /** Within the season, ascending. */
  episodes: number[];
  /** Counted over all seasons (anime, daily soaps), ascending; may be fractional (26.5: a recap). */
  absolute: number[];
  year: number | null;
  /** ISO 8601 day of an air date; null where none is said. */
  date: string | null;
  /** The other days that an ambiguous date can be (01.02.03); a catalog settles it. */
  dates: string[];
  /** Part of an episode that is split over files: 1, 2, ... */
  part: number | null;
  episode_title: string | null;
  /** Of the release: v2 is 2. */
  version: number | null;
  /** What kind of special or extra: `OVA`, `NCOP`, `sample`, `trailer`, ...; null otherwise. */
  special: string | null;
  /** 0..1: how sure the name is by itself. */
  confidence: number;
  /** One short sentence each, for a person. */
  reasons: string[];
}

/** What a name says that says nothing. */
export const NOTHING_READ: NameReading = {
  type: 'unknown',
  title: null,
  season: null,
  episodes: [],
  absolute: [],
  year: null,
  date: null,
  dates: [],
  part: null,
  episode_title: null,
  version: null,
  special: null,
  confidence: 0,
  reasons: [],
};

export interface FolderFile {
  /** Below the folder, `/` separated. */
  path: string;
  /** Bytes, where known (a sample is small). */
  size?: number;
  /** Seconds, where known. */
  duration?: number;
}

export type FileClass = 'episode' | 'extra' | 'movie' | 'companion' | 'other';

export interface RecognisedFile {
  path: string;
  class: FileClass;
  /** Of an episode; 0 for a special. */
  season: number | null;
  episodes: number[];
  part: number | null;
  title: string | null;
  /** The video that a companion (subtitle, NFO, image, audio track) follows, by path. */
  belongs_to: string | null;
  /** Its own show, where it is another than the folder's; left out else. */
  show?: FolderReading['show'];
  /** 0..1, from the folder's agreement, the catalog and the name. */
  confidence: number;
  /** One short sentence each, for a person. */
  reasons: string[];
  reading: NameReading;
  /** Whose word it is, where it is not what was read. */
  source?: PlanSource;
}

/** One question a folder where possible. */
export type FolderQuestion = FolderReading['questions'][number];

export interface FolderReading extends Omit<v.InferOutput<typeof RecognizedFolderSchema>, 'planId' | 'asked'> {
  files: RecognisedFile[];
}

/** VIDEO-30: what a file is by its extension alone. */
export type FileKind = 'video' | 'subtitle' | 'audio' | 'image' | 'info' | 'other';

const words = (text: string): Set<string> => new Set(text.split(' '));

const KINDS: readonly (readonly [FileKind, ReadonlySet<string>])[] = [
  [
    'video',
    words(
      '3g2 3gp asf avi divx f4v flv iso m2ts m4v mk3d mkv mov mp4 mpeg mpg mts ogm ogv rm rmvb strm ts vob webm wmv wtv xvid',
    ),
  ],
  ['subtitle', words('ass idx mks smi srt ssa stl sub sup ttml usf vtt')],
  ['audio', words('aac ac3 dts dtshd eac3 flac m4a mka mp3 ogg opus thd wav')],
  ['image', words('bif bmp gif jpeg jpg png tbn webp')],
  ['info', words('chapters edl nfo xml')],
];

/** @param path `/` separated */
export function kindOf(path: string): FileKind {
  const extension = extensionOf(path).slice(1).toLowerCase();
  return KINDS.find(([, known]) => known.has(extension))?.[0] ?? 'other';
}
