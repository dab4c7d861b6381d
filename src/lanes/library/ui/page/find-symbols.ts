import { ask } from '#ui/client/workers.ts';
import type { Hit } from '#ui/lane-ui.ts';
import { library } from '../client.ts';
import { serverSymbols } from '../server-library.ts';
import { interleaved } from './interleaved.ts';
import { filePath } from './library-paths.ts';

const SHOWN = 12;

/** Symbols for the palette, of this browser's folders (`here`: there are some) and of the server's, by turns. */
export async function symbolHits(words: string, here: boolean): Promise<Hit[] | null> {
  const there = serverSymbols(words, SHOWN);
  const own = here ? await ask(library().symbols(words, SHOWN)) : [];
  if (own === null) return null;
  return interleaved(own, await there, SHOWN).map(({ folder, path, line, name, qualified, chunkType }) => ({
    key: `${folder} ${path} ${line} ${qualified}`,
    label: name,
    detail: `${chunkType} · ${path}:${line}`,
    path: filePath(folder, path, line),
  }));
}
