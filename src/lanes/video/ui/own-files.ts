/** Episodes and films in a drop on Ingest: the folders with them. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import { topOf } from '#ui/ingest/drop-parts.ts';

const VIDEO = /\.(?:mkv|avi|m4v|mov|webm|wmv|mpe?g)$/i;
/** Under this ending there is sound as well. */
const MAYBE = /\.mp4$/i;
const EPISODE = /(?:^|[^a-z0-9])(?:s\d{1,3}[ ._-]*e\d{1,4}|\d{1,2}x\d{2,3})(?:[^0-9]|$)/i;
const SOUND = /\.(?:mp3|flac|m4a|ogg|opus|wav|aiff?|wma)$/i;
const BESIDE = /\.(?:srt|ass|ssa|sub|idx|vtt)$/i;

const isVideo = ({ path }: DroppedFile): boolean => VIDEO.test(path) || (MAYBE.test(path) && EPISODE.test(path));

function claimed(top: string, files: readonly DroppedFile[]): readonly DroppedFile[] {
  if (!files.some(isVideo)) return [];
  if (top === '') return files.filter((file) => isVideo(file) || BESIDE.test(file.path));
  return files.some(({ path }) => SOUND.test(path)) ? [] : files;
}

export const videosIn = (files: readonly DroppedFile[]): DroppedFile[] =>
  [...Map.groupBy(files, topOf)].flatMap(([top, own]) => claimed(top, own));
