/** What a whole folder of a show is recognised as. */
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
