/** The tools of a folder beside those that are built in. */
import { failed } from '#core/errors.ts';
import type { AskTool } from '../ask-tool.ts';
import { builtInTools } from '../built-in.ts';
import { toolOfFile } from './make-tool.ts';
import { readToolFile } from './tool-file.ts';

export interface ToolText {
  /** How a person knows it: its path. */
  from: string;
  text: string;
}

/** Throws AccessionError `invalid`: a file that cannot be read, a name that is there already. */
export async function toolsWith(files: readonly ToolText[]): Promise<AskTool[]> {
  const tools = builtInTools();
  const own: AskTool[] = [];
  for (const { from, text } of files) {
    const file = await readToolFile(text, from);
    if ([...tools, ...own].some(({ tool }) => tool.name === file.name))
      throw failed('invalid', `The tool in ${from}: there is a tool "${file.name}" already.`, {
        remedy: 'Give it another name.',
      });
    own.push(toolOfFile(file, tools));
  }
  return [...tools, ...own];
}
