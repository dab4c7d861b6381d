/** Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Plugin } from 'vite';
import { isPack, isPacked, writePack } from './app-pack.ts';
import { isOfDemo, isOnDemand } from './on-demand.ts';

const NAME = 'virtual:app-files';

/**
 * Tells the service worker every file of the build whose name carries its hash, with its size in bytes:
 * `import { files, pack } from 'virtual:app-files'`. The small ones stand in `pack`, and are in one file of the build
 * beside their own. `$app/manifest` leaves out what workers load (their chunks and the
 * ffmpeg core); without those the app would not work offline. Kit builds the service worker last, into the same
 * folder, so that the files are there to be listed.
 */
export function appFiles(): Plugin {
  return {
    name: 'accession-app-files',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const root = this.environment.config.build.outDir;
      const all = list(join(root, '_app', 'immutable')).map((path) => ({
        path: relative(root, path).split(sep).join('/'),
        bytes: statSync(path).size,
        onDemand: isOnDemand(path),
        ofDemo: isOfDemo(path),
      }));
      const small = all.filter(({ path, bytes, onDemand }) => !onDemand && isPacked(path, bytes));
      const files = all.filter((file) => !small.includes(file));
      return `export const files = ${JSON.stringify(files)}; export const pack = ${JSON.stringify(writePack(root, small))};`;
    },
  };
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !isPack(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
