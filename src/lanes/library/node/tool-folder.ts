/** Tools of a run from folders: those that are built in, and a YAML file each. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, isCode } from '#core/errors.ts';
import type { AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import { toolsWith, type ToolText } from '#lanes/library/core/ask/tools/yaml/read-tools.ts';

/** Files of one folder. */
const MOST_FILES = 200;

/**
 * @param usual may be missing @param named by the person: it must be there
 * Throws AccessionError: a folder that is not there, a file that cannot be taken.
 */
export async function toolsOfFolders(usual: string, named: string | undefined): Promise<AskTool[]> {
  const files = await textsIn(usual, true);
  if (named !== undefined) files.push(...(await textsIn(named, false)));
  return toolsWith(files);
}

async function textsIn(folder: string, mayMiss: boolean): Promise<ToolText[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR')) throw error;
    if (mayMiss) return [];
    throw failed('not_found', `There is no folder "${folder}".`, { cause: error });
  }
  const files = names.filter((name) => /\.ya?ml$/i.test(name)).sort();
  if (files.length > MOST_FILES) throw failed('invalid', `${folder} has more than ${MOST_FILES} tools.`);
  return Promise.all(
    files.map(async (name) => ({ from: join(folder, name), text: await readFile(join(folder, name), 'utf8') })),
  );
}
