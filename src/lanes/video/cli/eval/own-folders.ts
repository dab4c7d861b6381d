/** The project's own folders (tests/fixtures/video): of each file its show, season and episodes, or that it is none. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { same } from './video-names.ts';

const EpisodeSchema = v.looseObject({
  season: v.number(),
  number: v.number(),
  title: v.nullish(v.string(), null),
  absolute: v.nullish(v.number(), null),
  aired: v.nullish(v.string(), null),
});
const RowSchema = v.looseObject({
  name: v.string(),
  class: v.string(),
  files: v.array(
    v.looseObject({
      path: v.string(),
      /** Minutes of playing time. */
      minutes: v.optional(v.number()),
      /** Of the show; left out, with season and episodes, where the file is no episode. */
      title: v.optional(v.string()),
      season: v.optional(v.number()),
      episodes: v.optional(v.array(v.number()), []),
    }),
  ),
  shows: v.array(
    v.looseObject({ title: v.string(), year: v.nullish(v.number(), null), episodes: v.array(EpisodeSchema) }),
  ),
});
export type OwnFolder = v.InferOutput<typeof RowSchema>;

/** Rows of own folders. Throws as readJsonLines. */
export const readOwnFolders = (file: string): Promise<OwnFolder[]> => readJsonLines(file, RowSchema);

/** The catalog of a row, as a server has it. */
function catalogOf({ shows }: OwnFolder): Show[] {
  return shows.map(({ title, year, episodes }, at) => ({
    id: `show-${at}`,
    title,
    titles: [],
    year,
    seasons: [...Map.groupBy(episodes, ({ season }) => season)].map(([number, of]) => ({
      number,
      title: null,
      episodes: of.map((one) => ({
        number: one.number,
        title: one.title,
        air_date: one.aired,
        absolute: one.absolute,
      })),
    })),
  }));
}

/** What was counted: files that are episodes, those read exactly, those offered for a plan, those offered and not the truth. */
export interface FolderCounts {
  episodes: number;
  exact: number;
  offered: number;
  wrong: number;
}

/** The folder is read with its catalog's shows beside it; an episode is exact with its show, season and numbers. */
export function countFolder(row: OwnFolder): FolderCounts {
  const files = row.files.map(({ path, minutes }) => ({
    path,
    ...(minutes === undefined ? {} : { duration: minutes * 60 }),
  }));
  const reading = readFolder(files, { folderName: row.name, shows: catalogOf(row) });
  const said = new Map(reading.files.map((file) => [file.path, file]));
  const counts: FolderCounts = { episodes: 0, exact: 0, offered: 0, wrong: 0 };
  for (const truth of row.files) {
    const file = said.get(truth.path);
    const isOffered =
      file?.class === 'episode' &&
      file.season !== null &&
      file.episodes.length > 0 &&
      file.confidence >= PLAN_CONFIDENCE;
    const isRight =
      isOffered &&
      truth.season === file.season &&
      same(file.episodes, truth.episodes) &&
      (file.show ?? reading.show).title === truth.title;
    if (truth.season !== undefined) counts.episodes++;
    if (isRight) counts.exact++;
    if (isOffered) counts.offered++;
    if (isOffered && !isRight) counts.wrong++;
  }
  return counts;
}

/** Shares `<name>.exact` and `<name>.wrong` over all rows, `<name>.episodes`, and of each class that is not whole its share. */
export function ownFolderFigures(rows: readonly OwnFolder[], name: string): Record<string, number> {
  const figures: Record<string, number> = {};
  const all: FolderCounts = { episodes: 0, exact: 0, offered: 0, wrong: 0 };
  for (const [kind, of] of Map.groupBy(rows, (row) => row.class)) {
    const counts = of.map(countFolder);
    const sum = (key: keyof FolderCounts): number => counts.reduce((total, one) => total + one[key], 0);
    for (const key of ['episodes', 'exact', 'offered', 'wrong'] as const) all[key] += sum(key);
    if (sum('exact') < sum('episodes')) figures[`${name}.class.${kind}.exact`] = sum('exact') / sum('episodes');
    if (sum('wrong') > 0) figures[`${name}.class.${kind}.wrong`] = sum('wrong') / sum('offered');
  }
  return {
    [`${name}.exact`]: all.episodes === 0 ? 0 : all.exact / all.episodes,
    [`${name}.wrong`]: all.offered === 0 ? 0 : all.wrong / all.offered,
    [`${name}.episodes`]: all.episodes,
    [`${name}.offered`]: all.offered,
    ...figures,
  };
}
