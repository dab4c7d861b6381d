/** `npm run eval`: figures of the matcher (options in eval/main.ts); `npm run eval -- video`: of the video lane. */
import { callerDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  const main = process.argv[2] === 'video' ? 'src/cli/eval/video.ts' : 'scripts/eval/main.ts';
  const args = [inRoot(main), ...process.argv.slice(2)];
  return await replaceWith(node, args, { cwd: callerDirectory(), env: {} }).ended;
});
