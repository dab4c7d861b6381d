/**
 * The built app's large files in their compressed forms (lib/compress.mjs). `npm start` lets it run beside the server, since
 * the first time takes a minute; `npm run build` waits for it.
 */
import { constants, setPriority } from 'node:os';
import { compressApp } from './lib/compress.mjs';
import { BUILD, COMPRESSED } from './lib/paths.mjs';

setPriority(constants.priority.PRIORITY_LOW);
await compressApp(BUILD, COMPRESSED, 'named by content');
