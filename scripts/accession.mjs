/** `npm run -s accession -- ARGS`: the command line, set up like `npm start`. */
import { callerDirectory, dataDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { MODEST } from './lib/serve.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  return await replaceWith(node, [...MODEST, inRoot('src/cli/main.ts'), ...process.argv.slice(2)], {
    cwd: callerDirectory(),
    env: { ACCESSION_DATA: dataDirectory() },
  }).ended;
});
