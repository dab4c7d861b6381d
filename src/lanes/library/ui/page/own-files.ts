/** Code and notes in a drop on Ingest: a folder of them, or loose files; not what lies in an album. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import { isSystemFile } from '#core/ingest/ingester.ts';
import { isKnownText } from '#core/ingest/languages.ts';
import { topOf } from '#ui/ingest/drop-parts.ts';

const PDF = /\.pdf$/i;
/** What makes a folder one of an album, or of a drop of them. */
const OF_ALBUM =
  /\.(?:mp[23]|mpga|flac?|fla|m4[ab]|mp4|aac|og[ga]|opus|wave?|w64|aif[fc]?|wma|asf|wv|tta|caf|ac3|ape|mp[c+p]|ds[fd]|dff|r[am]|ram|cue|zip|tar|t?gz|7z|rar)$/i;

const isSource = ({ path }: DroppedFile): boolean => !PDF.test(path) && isKnownText(path);

/** PDFs go to Documents; all else of a folder with code or notes is read, or left out, by the library. */
function claimed(top: string, files: readonly DroppedFile[]): readonly DroppedFile[] {
  if (files.some(({ path }) => OF_ALBUM.test(path)) || !files.some(isSource)) return [];
  return top === '' ? files.filter(isSource) : files.filter(({ path }) => !PDF.test(path) && !isSystemFile(path));
}

export const sourcesIn = (files: readonly DroppedFile[]): DroppedFile[] =>
  [...Map.groupBy(files, topOf)].flatMap(([top, own]) => claimed(top, own));
