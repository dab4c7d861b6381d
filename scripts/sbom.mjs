/** `npm run sbom [-- --out FILE] [--advisories PATH]`: what the product is made of, and what is known against it (sbom/main.ts). */
import { callerDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

await launch(async () => {
  const node = await setUp();
  const args = [inRoot('scripts/sbom/main.ts'), ...process.argv.slice(2)];
  return await replaceWith(node, args, { cwd: callerDirectory() }).ended;
});
