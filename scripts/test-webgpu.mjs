/**
 * `npm run test:webgpu [model id]`: one real generation by WebLLM, on a machine with a graphics card; refuses
 * elsewhere (code 3). Not part of `npm test`. See docs/LOCAL_MODELS.md.
 */
import { findBrowser } from './lib/browser.mjs';
import { buildIfChanged } from './lib/build.mjs';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  await buildIfChanged(node);
  const env = { ACCESSION_BROWSER: await findBrowser(node) };
  const { code } = await run(node, [inRoot('tests/webgpu/smoke.ts'), ...process.argv.slice(2)], { env, stream: true });
  return code;
});
