import { readFile, writeFile } from 'node:fs/promises';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import { folderRow, type FolderRow } from './folder-rows.ts';

/** One line of the answer. */
export interface FolderAnswer {
  id: string;
  files: { path: string; season: number; episodes: number[] }[];
}

/** What the app would offer for the plan; extras, films, companions and what is too doubtful are left out. */
export function answerFolder({ id, title, films, files, show }: FolderRow): FolderAnswer {
  if (films) return { id, files: [] };
  const reading = readFolder(files, { folderName: title ?? '', show });
  return {
    id,
    files: reading.files.flatMap(({ path, class: kind, season, episodes, confidence }) =>
      kind === 'episode' && season !== null && episodes.length > 0 && confidence >= PLAN_CONFIDENCE
        ? [{ path, season, episodes }]
        : [],
    ),
  };
}

/**
 * `recognize --folders`: one folder a line (`id`, `files` with their `path`, and where known `catalogue`, `airdates`,
 * `special_titles`), one answer a line. Throws what the file system throws, and AccessionError `invalid` with the line.
 */
export async function recognizeFolders(options: {
  folders: string;
  out: string;
}): Promise<{ folders: number; episodes: number }> {
  const lines = (await readFile(options.folders, 'utf8')).split('\n');
  const answers = lines.flatMap((line, at) => (line.trim() === '' ? [] : [answerFolder(folderRow(line, at + 1))]));
  await writeFile(options.out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return { folders: answers.length, episodes: answers.reduce((sum, { files }) => sum + files.length, 0) };
}
