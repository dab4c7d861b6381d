/** A folder as seasons: what is there, what is missing between, what is there twice; everything else apart. */
import type { FileClass, FolderReading } from '#lanes/video/core/folder-reading.ts';
import type { VideoRow } from './corrections.ts';

export interface SeasonGroup {
  /** Its show, where it is another than the folder's; null else. */
  show: string | null;
  /** 0: specials; null: episodes of which no season is known. */
  season: number | null;
  rows: VideoRow[];
  /** Episodes that are missing between the first and the last. */
  gaps: number[];
  /** Paths of files that are the same episode, and not parts of it. */
  twice: ReadonlySet<string>;
}

export interface Grouped {
  seasons: SeasonGroup[];
  /** Companions by the video that they follow. */
  companions: ReadonlyMap<string, VideoRow[]>;
  /** Movies, extras, companions of nothing, and other files. */
  rest: { class: FileClass; rows: VideoRow[] }[];
}

const REST: readonly FileClass[] = ['movie', 'extra', 'companion', 'other'];

export function grouped(rows: readonly VideoRow[], reading: Pick<FolderReading, 'files' | 'gaps'>): Grouped {
  const videos = new Set(rows.filter((row) => row.class !== 'companion').map((row) => row.path));
  const follows = ({ class: kind, belongs_to }: VideoRow): boolean =>
    kind === 'companion' && belongs_to !== null && videos.has(belongs_to);
  const [followers, others] = [rows.filter(follows), rows.filter((row) => !follows(row))];
  const byClass = Map.groupBy(others, (row) => row.class);
  const byShow = Map.groupBy(byClass.get('episode') ?? [], showOf);
  const seasons = [...byShow].flatMap(([show, rowsOf]) =>
    [...Map.groupBy(rowsOf, (row) => row.season)].map(([season, found]) => seasonGroup(show, season, found, reading)),
  );
  return {
    // Specials come after the seasons, what has none comes last.
    seasons: seasons.sort((a, b) => byTitle(a.show, b.show) || rank(a.season) - rank(b.season)),
    companions: Map.groupBy(followers, (row) => row.belongs_to ?? ''),
    rest: REST.flatMap((kind) => {
      const found = byClass.get(kind);
      return found === undefined ? [] : [{ class: kind, rows: found }];
    }),
  };
}

/** Of a file of another show than the folder's, that show's title. */
const showOf = ({ show }: Pick<VideoRow, 'show'>): string | null => show?.title ?? null;
/** The folder's own show first. */
const byTitle = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a.localeCompare(b);
const rank = (season: number | null): number => (season === null ? Infinity : season === 0 ? 1e9 : season);

function seasonGroup(
  show: string | null,
  season: number | null,
  found: readonly VideoRow[],
  reading: Pick<FolderReading, 'files' | 'gaps'>,
): SeasonGroup {
  const rows = found.toSorted(
    (a, b) =>
      (a.episodes[0] ?? Infinity) - (b.episodes[0] ?? Infinity) ||
      (a.part ?? 0) - (b.part ?? 0) ||
      a.path.localeCompare(b.path),
  );
  const counted = rows.filter((row) => !row.excluded);
  return { show, season, rows, gaps: gapsOf(show, season, counted, reading), twice: twiceOf(counted) };
}

/** Episodes that the catalog has, or that files were before they were corrected, and that no file is now. */
function gapsOf(
  show: string | null,
  season: number | null,
  rows: readonly VideoRow[],
  reading: Pick<FolderReading, 'files' | 'gaps'>,
): number[] {
  const here = new Set(rows.flatMap((row) => row.episodes));
  const known = [
    ...reading.gaps.flatMap((gap) => (show === null && gap.season === season ? [gap.episode] : [])),
    ...reading.files.flatMap((file) =>
      file.class === 'episode' && file.season === season && showOf(file) === show ? file.episodes : [],
    ),
  ];
  const [first, last] = [Math.min(...here), Math.max(...here)];
  return [...new Set(known)]
    .filter((episode) => !here.has(episode) && episode > first && episode < last)
    .sort((a, b) => a - b);
}

function twiceOf(rows: readonly VideoRow[]): Set<string> {
  const places = rows.flatMap((row) => row.episodes.map((episode) => ({ episode, row })));
  const twice = [...Map.groupBy(places, ({ episode }) => episode).values()].flatMap((found) => {
    const same = found.map(({ row }) => row);
    const parts = new Set(same.map((row) => row.part));
    const areParts = parts.size === same.length && !parts.has(null);
    return same.length < 2 || areParts ? [] : same;
  });
  return new Set(twice.map((row) => row.path));
}
