/** What a file's name or path says of a video, by ranked rules; every answer has its reasons. */
import type { NameReading } from '../name-reading.ts';
import { readBase, type BaseReading } from './read-base.ts';
import { extraOfFolder } from './extras.ts';
import { normalText, splitName, splitPath } from './normal-text.ts';
import { isGenericFolder, plainTitle, readSeasonFolder } from './season-folder.ts';

export interface NameOptions {
  /** Folders around the input, from the outside in; the input's own folders follow them. */
  folders?: readonly string[];
  /** `false`: a slash in the input parts no folders. */
  isPath?: boolean;
}

/** Reads one name or path. Total: any text has a reading, and it takes time in proportion to its length. */
export function readName(input: string, options: NameOptions = {}): NameReading {
  const { folders: own, name } = options.isPath === false ? { folders: [], ...splitName(input) } : splitPath(input);
  const folders = [...(options.folders ?? []), ...own];
  const season = nearestSeason(folders);
  const around = folders.filter((folder, at) => !isGenericFolder(folder) && at !== season?.at);
  const base = readBase(normalText(name), {
    inSeason: season?.number ?? null,
    folders: around,
    alone: options.folders === undefined && around.length === 0 && season === null,
  });
  return finish(base, folders, season, around);
}

/** What a folder of bonus material does not outrank: `S01E02`, `1x02`. */
const CERTAIN = 0.95;

interface FolderSeason {
  number: number;
  at: number;
}

function nearestSeason(folders: readonly string[]): FolderSeason | null {
  for (let at = folders.length - 1; at >= Math.max(0, folders.length - 3); at--) {
    const folder = folders[at];
    if (folder === undefined) continue;
    const number = readSeasonFolder(folder, {
      parent: folders[at - 1] ?? null,
      mixed: /^\d+$/.test(folder) && at === 0,
    });
    if (number !== null) return { number, at };
  }
  return null;
}

function finish(
  base: BaseReading,
  folders: readonly string[],
  season: FolderSeason | null,
  around: readonly string[],
): NameReading {
  const nearest = folders.at(-1);
  const extraFolder = nearest === undefined ? null : extraOfFolder(nearest);
  let reading = base.reading;
  const outer = around.at(-1);
  if (outer !== undefined && base.certainty < 0.8) {
    const parent = readBase(normalText(outer), { inSeason: null, folders: [], alone: false });
    reading = preferFolder(reading, base, parent, season);
  }
  if (reading.type !== 'extra' && extraFolder !== null && base.certainty < CERTAIN)
    return {
      ...reading,
      type: 'extra',
      special: extraFolder,
      season: reading.season,
      episodes: [],
      absolute: [],
      confidence: 0.8,
      reasons: [...reading.reasons, `The folder "${nearest ?? ''}" holds bonus material.`],
    };
  if (reading.season === null && season !== null && (reading.episodes.length > 0 || reading.absolute.length > 0)) {
    reading.season = season.number;
    reading.absolute = reading.absolute.filter((number) => !Number.isInteger(number));
    reading.reasons.push(`The folder "${folders[season.at] ?? ''}" says season ${season.number}.`);
    reading.type = 'episode';
  }
  const around_ = around.at(-1);
  if (reading.season === null && around_ !== undefined && base.certainty >= 0.8 && reading.episodes.length > 0) {
    // "Show Season 2/E01": a release's folder says the season.
    const parent = readBase(normalText(around_), { inSeason: null, folders: [], alone: false });
    if (typeof parent.reading.season === 'number' && parent.reading.episodes.length === 0) {
      reading.season = parent.reading.season;
      reading.reasons.push(`The folder "${around_}" says season ${parent.reading.season}.`);
    }
  }
  if (reading.title === null) {
    const show = around.at(-1);
    if (show !== undefined) {
      const shown = readBase(normalText(show), { inSeason: null, folders: [], alone: false }).reading;
      reading.title = shown.title;
      reading.year ??= shown.year;
      if (shown.title !== null) reading.reasons.push(`The folder names the show "${shown.title}".`);
    }
  }
  return reading;
}

/** A release's folder tells more than the short or scrambled name of the file in it. */
function preferFolder(
  reading: NameReading,
  base: BaseReading,
  parent: BaseReading,
  season: FolderSeason | null,
): NameReading {
  const said = parent.reading;
  if (parent.certainty >= 0.8 && said.episodes.length === 1 && base.certainty < 0.6)
    return { ...said, reasons: [...said.reasons, 'The folder says more than the name of the file.'] };
  if (said.date !== null && reading.date === null && base.certainty < 0.6 && reading.title !== said.title)
    return { ...said, reasons: [...said.reasons, 'The folder says more than the name of the file.'] };
  if (reading.type !== 'movie' && reading.type !== 'unknown') return reading;
  if (season !== null || base.reading.year !== null || said.title === null) return reading;
  const same = plainTitle(said.title) === plainTitle(reading.title ?? '');
  if (same) return { ...reading, year: said.year };
  if (said.year !== null || (parent.technical && !base.technical))
    return {
      ...reading,
      title: said.title,
      year: said.year,
      type: 'movie',
      reasons: [...reading.reasons, 'The folder names the film.'],
    };
  return reading;
}
