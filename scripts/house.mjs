/** `npm run house [-- --json FILE] [--list [FIGURE]]`: how the house stands, in figures (house/main.ts). */
import { callerDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  const args = [inRoot('scripts/house/main.ts'), ...process.argv.slice(2)];
  return await replaceWith(node, args, { cwd: callerDirectory() }).ended;
});
