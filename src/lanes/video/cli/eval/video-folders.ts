/** Figures of reading whole folders: shares, 0..1, and counts. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { folderRow, answerFolder } from '../recognize-folders.ts';
import { same } from './video-names.ts';

const RowSchema = v.looseObject({
  files: v.array(
    v.object({
      path: v.string(),
      cls: v.string(),
      season: v.nullable(v.number()),
      episodes: v.array(v.number()),
    }),
  ),
});
export type LabelledFolder = v.InferOutput<typeof RowSchema>;

/** Rows of folders with the truth of each file. Throws as readJsonLines. */
export const readLabelledFolders = (file: string): Promise<LabelledFolder[]> => readJsonLines(file, RowSchema);

/**
 * `folders.exact`: share of the episode files whose season and episodes are the truth's. `folders.wrong`: share of the
 * files offered for a plan that are no episode, or another one; `folders.no_episode`: how many are none. Nothing of the
 * truth but the paths is shown to the reader.
 */
export function folderFigures(rows: readonly LabelledFolder[]): Record<string, number> {
  let [episodes, exact, offered, wrong, none] = [0, 0, 0, 0, 0];
  for (const [at, { files, ...rest }] of rows.entries()) {
    const shown = { ...rest, files: files.map(({ path }) => path) };
    const answer = new Map(
      answerFolder(folderRow(JSON.stringify(shown), at + 1)).files.map((file) => [file.path, file]),
    );
    for (const truth of files) {
      const said = answer.get(truth.path);
      const isEpisode = truth.cls === 'episode';
      const right = isEpisode && said?.season === truth.season && same(said.episodes, truth.episodes);
      if (isEpisode) episodes++;
      if (right) exact++;
      if (said === undefined) continue;
      offered++;
      if (!right) wrong++;
      if (!isEpisode) none++;
    }
  }
  return {
    'folders.exact': episodes === 0 ? 0 : exact / episodes,
    'folders.wrong': offered === 0 ? 0 : wrong / offered,
    'folders.episodes': episodes,
    'folders.no_episode': none,
  };
}
