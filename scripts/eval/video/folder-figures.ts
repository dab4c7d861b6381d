/** What reading whole folders is worth, on rows as in folders.dev.jsonl: files with their truth. */
import { readFileSync } from 'node:fs';
import { folderRow } from '#cli/folder-rows.ts';
import { answerFolder } from '#cli/recognize-folders.ts';

export interface FolderFigures {
  /** Share of the episode files whose season and episodes are exactly the truth's. */
  'folders.exact': number;
  /** Share of the files offered as episodes that are none, or another one. */
  'folders.wrong': number;
  'folders.episodes': number;
  /** Extras, films and companions that were offered as an episode. */
  'folders.no_episode': number;
}

interface TruthFile {
  path: string;
  cls: string;
  season: number | null;
  episodes: number[];
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, at) => number === b[at]);

/** @param path of a file with one folder a line. Nothing of the truth but the paths is shown to the reader. */
export function folderFigures(path: string): FolderFigures {
  let [episodes, exact, offered, wrong, none] = [0, 0, 0, 0, 0];
  for (const [at, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { files, ...rest } = JSON.parse(line) as { files: TruthFile[] };
    const shown = { ...rest, files: files.map((file) => ({ path: file.path })) };
    const answer = new Map(
      answerFolder(folderRow(JSON.stringify(shown), at + 1)).files.map((file) => [file.path, file]),
    );
    for (const truth of files) {
      const said = answer.get(truth.path);
      const right =
        truth.cls === 'episode' && said?.season === truth.season && sameNumbers(said.episodes, truth.episodes);
      if (truth.cls === 'episode') episodes++;
      if (right) exact++;
      if (said === undefined) continue;
      offered++;
      if (!right) wrong++;
      if (truth.cls !== 'episode') none++;
    }
  }
  return {
    'folders.exact': episodes === 0 ? 0 : exact / episodes,
    'folders.wrong': offered === 0 ? 0 : wrong / offered,
    'folders.episodes': episodes,
    'folders.no_episode': none,
  };
}
