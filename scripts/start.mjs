/** `npm start`: set up, build what changed, then be the catalog server until Ctrl-C. */
import { buildIfChanged } from './lib/build.mjs';
import { dataDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { beside } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { serve } from './lib/serve.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  await buildIfChanged(node);
  beside(node, inRoot('scripts/compress.mjs'));
  return await serve(node, { env: { ACCESSION_DATA: dataDirectory() }, args: process.argv.slice(2) }).ended;
});
