/** What a whole folder of a show is recognised as. */
import { extensionOf } from '#core/plan/plan-path.ts';
import type { NameReading } from './name-reading.ts';

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
  /** 0..1, from the folder's agreement, the catalog and the name. */
  confidence: number;
  /** One short sentence each, for a person. */
  reasons: string[];
  reading: NameReading;
}

/** One question a folder where possible. */
export interface FolderQuestion {
  kind: 'which-show' | 'which-numbering';
  /** What to ask, one sentence. */
  sentence: string;
  options: { id: string; label: string }[];
}

export interface FolderReading {
  show: { id: string | null; title: string | null; year: number | null };
  files: RecognisedFile[];
  questions: FolderQuestion[];
  /** Episodes that the catalog has between the first and the last of a season, but the folder has not. */
  gaps: { season: number; episode: number }[];
  /** Paths of videos that are the same episode and not parts of it. */
  duplicates: { season: number; episode: number; paths: string[] }[];
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
