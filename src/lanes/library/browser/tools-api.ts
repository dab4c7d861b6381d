/** Tools of the person's own, as YAML files, for questions of this browser. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { answered } from '#core/result.ts';
import { readTools, type ReadTools } from '#lanes/library/core/ask/tools/yaml/read-tools.ts';
import type { LibraryApi, RefusedTool } from './library-api.types.ts';

/** Files that are kept. */
const MOST_FILES = 200;

export const keptTools = async (db: AccessionDb): Promise<ReadTools> =>
  readTools((await db.library_tools.orderBy('file').toArray()).map(({ file, text }) => ({ from: file, text })));

const refusedOf = ({ refused }: ReadTools): RefusedTool[] =>
  refused.map(({ from, failure }) => ({ file: from, message: failure.message }));

export function toolsApi(db: AccessionDb): Pick<LibraryApi, 'tools' | 'addTools' | 'removeTool'> {
  return {
    tools: () =>
      answered(async () => {
        const read = await keptTools(db);
        const tools = read.own.map(({ from, tool: { tool, network = false } }) => ({
          ...{ name: tool.name, description: tool.description, file: from, network },
          why: tool.side_effects ? 'it changes something outside, and a run may only look' : null,
        }));
        return { tools, refused: refusedOf(read) };
      }),
    addTools: (files) =>
      answered(async () => {
        const refused: RefusedTool[] = [];
        for (const { file, text } of files) {
          const kept = (await db.library_tools.toArray()).filter((one) => one.file !== file);
          // Those that are kept go first: the new one is refused where it has the name of one of them.
          const texts = [...kept, { file, text }].map((one) => ({ from: one.file, text: one.text }));
          const why = refusedOf(await readTools(texts)).find((one) => one.file === file);
          if (why !== undefined) refused.push(why);
          else if (kept.length >= MOST_FILES)
            refused.push({ file, message: `There are ${MOST_FILES} tools already. Remove one first.` });
          else await db.library_tools.put({ file, text });
        }
        return refused;
      }),
    removeTool: (file) => answered(() => db.library_tools.delete(file)),
  };
}
