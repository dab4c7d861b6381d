/**
 * The built app's large files in their compressed forms (lib/compress.mjs). `npm start` lets it run beside the server, since
 * the first time takes a minute; `npm run build` waits for it.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { STAMP } from './lib/build.mjs';
import { compressApp } from './lib/compress.mjs';
import { BUILD, COMPRESSED } from './lib/paths.mjs';

/** Says of which build the forms are: a start of one that has them reads none of its files. */
const DONE = join(COMPRESSED, 'done');

setPriority(constants.priority.PRIORITY_LOW);
const built = String(statSync(STAMP).mtimeMs);
if (!existsSync(DONE) || readFileSync(DONE, 'utf8') !== built) {
  await compressApp(BUILD, COMPRESSED, 'named by content');
  writeFileSync(DONE, built);
}
