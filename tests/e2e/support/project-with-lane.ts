import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PARTS = ['src', 'docs', 'workers', 'static', 'scripts', 'package.json', 'vite.config.ts', 'tsconfig.json'];

/**
 * A copy of the project in which a lane of the tests is one of the product's: its folder is in src/lanes, and a line in
 * lanes.ts names it. Built; answers where the server's main module is. Throws with what the build printed.
 */
export async function buildWithLane(id: string): Promise<string> {
  const copy = join(ROOT, '.cache', `with-${id}`);
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { recursive: true });
  await Promise.all(PARTS.map((part) => cp(join(ROOT, part), join(copy, part), { recursive: true })));
  await cp(join(ROOT, 'tests', 'lanes', id), join(copy, 'src', 'lanes', id), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  const list = join(copy, 'src', 'lanes', 'lanes.ts');
  const before = await readFile(list, 'utf8');
  const after = before.replace(/(: readonly Lane\[\] = \[[^\]]+)\]/, `$1, ${id}]`);
  if (after === before) throw new Error('lanes.ts does not list the lanes as this test expects');
  await writeFile(list, `import { ${id} } from './${id}/lane.ts';\n${after}`);

  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: copy });
  return join(copy, 'src', 'server', 'main.ts');
}
