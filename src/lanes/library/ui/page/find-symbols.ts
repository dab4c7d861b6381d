import { ask } from '#ui/client/workers.ts';
import type { Hit } from '#ui/lane-ui.ts';
import { library } from '../client.ts';
import { filePath } from './library-paths.ts';

const SHOWN = 12;

/** Symbols for the palette. */
export async function symbolHits(words: string): Promise<Hit[] | null> {
  const found = await ask(library().symbols(words, SHOWN));
  return (
    found?.map(({ folder, path, line, name, qualified, chunkType }) => ({
      key: `${folder} ${path} ${line} ${qualified}`,
      label: name,
      detail: `${chunkType} · ${path}:${line}`,
      path: filePath(folder, path, line),
    })) ?? null
  );
}
