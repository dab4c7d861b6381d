/** The tools of YAML files beside those that are built in. */
import { AccessionError, failed, toFailure, type Failure } from '#core/errors.ts';
import type { AskTool } from '../ask-tool.ts';
import { builtInTools } from '../built-in.ts';
import { toolOfFile } from './make-tool.ts';
import { readToolFile } from './tool-file.ts';

export interface ToolText {
  /** How a person knows it: its path. */
  from: string;
  text: string;
}

export interface ReadTools {
  /** Those that are built in, and those of the files. */
  tools: AskTool[];
  /** Of the files, in their order. */
  own: { from: string; tool: AskTool }[];
  /** Files that cannot be taken: they cannot be read, or have a name that is there already. */
  refused: { from: string; failure: Failure }[];
}

export async function readTools(files: readonly ToolText[]): Promise<ReadTools> {
  const builtIn = builtInTools();
  const own: ReadTools['own'] = [];
  const refused: ReadTools['refused'] = [];
  for (const { from, text } of files) {
    try {
      const file = await readToolFile(text, from);
      if ([...builtIn, ...own.map((one) => one.tool)].some(({ tool }) => tool.name === file.name))
        throw failed('invalid', `The tool in ${from}: there is a tool "${file.name}" already.`, {
          remedy: 'Give it another name.',
        });
      own.push({ from, tool: toolOfFile(file, builtIn) });
    } catch (thrown) {
      refused.push({ from, failure: toFailure(thrown, from) });
    }
  }
  return { tools: [...builtIn, ...own.map(({ tool }) => tool)], own, refused };
}

/** Throws AccessionError `invalid`: a file that cannot be read, a name that is there already. */
export async function toolsWith(files: readonly ToolText[]): Promise<AskTool[]> {
  const { tools, refused } = await readTools(files);
  const [first] = refused;
  if (first !== undefined) throw new AccessionError(first.failure);
  return tools;
}
