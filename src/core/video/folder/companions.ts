/** VIDEO-32: subtitles, audio tracks, NFO files and images follow the video whose name they carry. */
import { readName } from '../names/read-name.ts';
import { directoryOf, kindOf, stemOf } from './file-kinds.ts';
import { folderRole } from './folder-role.ts';
import { foldText } from '../../text/fold.ts';

export interface Leader {
  path: string;
  season: number | null;
  episodes: readonly number[];
}

/** What a name may go on with behind its video's. */
const SEPARATOR = /^(?:$|[\s._\-([+【])/u;

/** The video that a file follows; null where it follows none. */
export function leaderOf(path: string, videos: readonly Leader[]): string | null {
  const kind = kindOf(path);
  if (kind === 'video' || kind === 'other') return null;
  return byName(path, videos) ?? (kind === 'image' ? null : byNumber(path, videos));
}

/** The longest video's name that the file's begins with: in its folder first, then in one above it. */
function byName(path: string, videos: readonly Leader[]): string | null {
  const stem = foldedCase(stemOf(path));
  let directory: string | null = directoryOf(path);
  const inner = foldedCase(directory.slice(directory.lastIndexOf('/') + 1));
  let names = [stem];
  while (directory !== null) {
    const found = longest(
      videos.filter((video) => directoryOf(video.path) === directory),
      names,
    );
    if (found !== null) return found;
    // `Subs/<name of the video>/2_English.srt`
    names = [stem, inner];
    directory = directory === '' ? null : directoryOf(directory);
  }
  return null;
}

const foldedCase = (text: string): string => text.normalize('NFC').toLowerCase();

function longest(videos: readonly Leader[], names: readonly string[]): string | null {
  let found: string | null = null;
  let length = 0;
  for (const { path } of videos) {
    const stem = foldedCase(stemOf(path));
    const follows = names.some((name) => name.startsWith(stem) && SEPARATOR.test(name.slice(stem.length)));
    if (follows && stem.length > length) {
      found = path;
      length = stem.length;
    }
  }
  return found;
}

/** By season and episode, where exactly one video of the same folder, or of those around it, has them. */
function byNumber(path: string, videos: readonly Leader[]): string | null {
  const directory = directoryOf(path);
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
  const near = videos.filter((video) => isAround(directoryOf(video.path), directory));
  const exact = near.filter((video) => (season ?? 1) === video.season && same(video.episodes));
  // A name that says no season can also count as its video does: through all seasons.
  const counted = exact.length > 0 || season !== null ? exact : near.filter((video) => same(countedIn(video.path)));
  if (counted.length < 2) return counted[0]?.path ?? null;
  return nearest(name, counted);
}

const isAround = (video: string, file: string): boolean =>
  video === file || file.startsWith(video === '' ? '' : `${video}/`) || directoryOf(video) === directoryOf(file);

function countedIn(path: string): readonly number[] {
  const reading = readName(path.slice(path.lastIndexOf('/') + 1), { folders: [] });
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
