/**
 * `npm run eval [-- music]`: figures of the matcher (options in eval/main.ts); `npm run eval -- metamorphic`: what changes
 * of names, tags and lengths do to its decisions; `npm run eval -- video`: of the video lane; `npm run eval -- ask`: of answers without a model;
 * `npm run eval -- documents`: of the identification of papers and books; `npm run eval -- guide`: of guides of channels;
 * `npm run eval -- toolbox`: of the tools that compute; `npm run eval -- playbook`: of playbooks.
 */
import { callerDirectory } from './lib/caller.mjs';
import { inRoot } from './lib/paths.mjs';
import { replaceWith } from './lib/run.mjs';
import { launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';

/** Which program the first word names; without one, the matcher's. */
const PROGRAMS = new Map([
  ['metamorphic', 'scripts/eval/metamorphic/main.ts'],
  ['ask', 'src/lanes/library/cli/eval/ask.ts'],
  ['documents', 'src/lanes/documents/cli/eval/documents.ts'],
  ['guide', 'scripts/eval/guide/main.ts'],
  ['playbook', 'scripts/eval/playbook/main.ts'],
  ['toolbox', 'scripts/eval/toolbox/main.ts'],
  ['video', 'src/lanes/video/cli/eval/video.ts'],
  ['video-peer', 'scripts/eval/video-peer.ts'],
]);

await launch(async () => {
  const node = await setUp();
  const args = [inRoot(PROGRAMS.get(process.argv[2] ?? '') ?? 'scripts/eval/main.ts'), ...process.argv.slice(2)];
  return await replaceWith(node, args, { cwd: callerDirectory(), env: {} }).ended;
});
