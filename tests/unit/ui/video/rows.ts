import type { RecognisedFile } from '#lanes/video/core/folder-reading.ts';
import { readName } from '#lanes/video/core/names/read-name.ts';

/** A recognised file with what the case is about. */
export function file(path: string, more: Partial<RecognisedFile> = {}): RecognisedFile {
  return {
    path,
    class: 'episode',
    season: 1,
    episodes: [1],
    part: null,
    title: null,
    belongs_to: null,
    confidence: 0.9,
    reasons: ['The name says it.'],
    reading: readName(path),
    ...more,
  };
}
