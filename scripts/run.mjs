/** `npm run build` and `npm run format`: set up, then the tool of that name. */
import { buildIfChanged } from './lib/build.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { Trouble, launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { tool } from './lib/tools.mjs';

await launch(async () => {
  const node = await setUp();
  const command = process.argv[2];
  if (command === 'build') {
    await buildIfChanged(node);
    return (await run(node, [inRoot('scripts/compress.mjs')], { stream: true })).code;
  }
  if (command === 'format') {
    return (await run(node, [tool('prettier'), '--write', '--log-level', 'warn', '.'], { stream: true })).code;
  }
  throw new Trouble(`There is no command "${command ?? ''}".`, 'Use `npm run build` or `npm run format`.');
});
