/** VIDEO-32: subtitles, audio tracks, NFO files and images follow the video whose name they carry. */
import { kindOf, type RecognisedFile } from '../folder-reading.ts';
import { readName } from '../names/read-name.ts';
import { parentOf, stemOf } from '#core/plan/plan-path.ts';
import { folderRole } from './folder-role.ts';
import { foldText } from '#core/text/fold.ts';

export type Leader = Pick<RecognisedFile, 'path' | 'season' | 'episodes' | 'reading'>;

/** What a name may go on with behind its video's. */
const SEPARATOR = /^[\s._\-([+【]/u;

/** Finds the video that a file follows; null where it follows none. */
export function leaderFinder(videos: readonly Leader[]): (path: string) => string | null {
  const folders = new Map<string, Map<string, string>>();
  for (const { path } of videos) {
    const directory = parentOf(path);
    const stems = folders.get(directory) ?? new Map<string, string>();
    if (!stems.has(foldedCase(stemOf(path)))) stems.set(foldedCase(stemOf(path)), path);
    folders.set(directory, stems);
  }
  return (path) => {
    const kind = kindOf(path);
    if (kind === 'video' || kind === 'other') return null;
    return byName(path, folders) ?? (kind === 'image' ? null : byNumber(path, videos));
  };
}

/** The longest video's name that the file's begins with: in its folder first, then in those above it. */
function byName(path: string, folders: ReadonlyMap<string, ReadonlyMap<string, string>>): string | null {
  const stem = foldedCase(stemOf(path));
  const own = parentOf(path);
  const inner = foldedCase(own.slice(own.lastIndexOf('/') + 1));
  for (let directory: string | null = own, above = false; directory !== null; above = true) {
    const stems = folders.get(directory);
    // `Subs/<name of the video>/2_English.srt`
    const found = stems === undefined ? null : (longest(stem, stems) ?? (above ? longest(inner, stems) : null));
    if (found !== null) return found;
    directory = directory === '' ? null : parentOf(directory);
  }
  return null;
}

const foldedCase = (text: string): string => text.normalize('NFC').toLowerCase();

function longest(name: string, stems: ReadonlyMap<string, string>): string | null {
  for (let end = name.length; end > 0; end--) {
    const found =
      end === name.length || SEPARATOR.test(name.slice(end, end + 1)) ? stems.get(name.slice(0, end)) : undefined;
    if (found !== undefined) return found;
  }
  return null;
}

/** By season and episode, where exactly one video of the same folder, or of those around it, has them. */
function byNumber(path: string, videos: readonly Leader[]): string | null {
  const directory = parentOf(path);
  const folders = directory.split('/').filter((one) => one !== '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reading = readName(name, { folders });
  if (reading.type === 'extra' || reading.type === 'movie') return null;
  const role = folderRole(folders);
  const season = typeof reading.season === 'number' ? reading.season : role.season;
  const numbers = reading.episodes.length > 0 ? reading.episodes : reading.absolute;
  if (numbers.length === 0 || role.extras) return null;
  const same = (of: readonly number[]): boolean =>
    of.length === numbers.length && of.every((one, at) => one === numbers[at]);
  const near = videos.filter((video) => isAround(parentOf(video.path), directory));
  const exact = near.filter((video) => (season ?? 1) === video.season && same(video.episodes));
  // A name that says no season can also count as its video does: through all seasons.
  const counted = exact.length > 0 || season !== null ? exact : near.filter((video) => same(countedIn(video)));
  if (counted.length < 2) return counted[0]?.path ?? null;
  return nearest(name, counted);
}

const isAround = (video: string, file: string): boolean =>
  video === file || file.startsWith(video === '' ? '' : `${video}/`) || parentOf(video) === parentOf(file);

function countedIn({ reading }: Leader): readonly number[] {
  return reading.season === null && reading.episodes.length > 0 ? reading.episodes : reading.absolute;
}

/** Several videos have the episode (a second release): the one whose words are the file's; none where that is open. */
function nearest(name: string, videos: readonly Leader[]): string | null {
  const words = new Set(foldText(name).split(' '));
  const scored = videos
    .map(({ path }) => ({
      path,
      shared: foldText(stemOf(path))
        .split(' ')
        .filter((word) => words.has(word)).length,
    }))
    .sort((a, b) => b.shared - a.shared);
  const [first, second] = scored;
  return first === undefined || first.shared === second?.shared ? null : first.path;
}
