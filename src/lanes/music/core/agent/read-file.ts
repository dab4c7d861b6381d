import type { FileEvidence } from '../evidence/evidence.ts';
import { parseName } from '../names/names.ts';
import { repairText } from '../names/repair.ts';
import { gatedSimilarity, textKey, type TextKey } from '#core/text/similarity.ts';
import { quiet } from './tools/shapes.ts';

/** What the agent reads off one file: names, numbers and length; never a comment, a lyric or another free tag. */
export interface ReadFile {
  name: string | null;
  folder: string | null;
  titles: string[];
  /** The first of them, made ready for comparison. */
  keys: TextKey[];
  artist: string | null;
  album: string | null;
  /** Parts of the name that may be the artist or the album. */
  parts: string[];
  track: number | null;
  duration_ms: number | null;
}

export function readFile(file: FileEvidence): ReadFile {
  const name = parseName(file.path);
  const path = file.path.split('/');
  const tag = (text: string | undefined): string | null => (text === undefined ? null : quiet(repairText(text)));
  const title = tag(file.tags.title);
  const fromName = name.titles.flatMap((text) => quiet(text) ?? []).slice(0, 3);
  const titles = [...new Set([...(title === null ? [] : [title]), ...fromName])];
  return {
    name: quiet(path.at(-1)),
    folder: quiet(path.at(-2)),
    titles,
    keys: titles.slice(0, 3).map(textKey),
    artist: tag(file.tags.artist) ?? tag(file.tags.albumartist),
    album: tag(file.tags.album),
    parts: name.segments.flatMap((text) => quiet(text) ?? []),
    track: file.tags.track ?? name.positions[0]?.position ?? null,
    duration_ms: file.duration_ms,
  };
}

/** How alike the file's title is to a track's, 0..1; 0 for a file without one. */
export function titleLikeness(file: ReadFile, title: TextKey): number {
  return Math.max(0, ...file.keys.map((key) => gatedSimilarity(key, title)));
}
