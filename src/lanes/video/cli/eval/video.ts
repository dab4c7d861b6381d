/**
 * `npm run eval -- video [--data DIR] [--json FILE]`: what the reading of video names and folders is worth. `DIR` holds
 * `names.dev.jsonl` and `folders.dev.jsonl`; by default `../shared/data/video` beside the project (docs/CONTRIBUTING.md, Data).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { folderFigures, readLabelledFolders } from './video-folders.ts';
import { nameFigures, readLabelledNames } from './video-names.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'video'),
  options: { data: { type: 'string' }, json: { type: 'string' } },
});
const data = resolve(values.data ?? join(import.meta.dirname, '../../../../../../shared/data/video'));

/** Each part: the file that it reads, and its figures. */
const PARTS: readonly (readonly [file: string, figures: (file: string) => Promise<Record<string, number>>])[] = [
  ['names.dev.jsonl', async (file) => nameFigures(await readLabelledNames(file))],
  ['folders.dev.jsonl', async (file) => folderFigures(await readLabelledFolders(file))],
];

const all: Record<string, number> = {};
for (const [name, figures] of PARTS) {
  const file = join(data, name);
  if (!existsSync(file)) {
    process.stderr.write(`eval: "${file}" is not there; name the folder of the data: --data DIR.\n`);
    process.exitCode = 1;
    continue;
  }
  Object.assign(all, await figures(file));
}
for (const [name, value] of Object.entries(all))
  process.stdout.write(`${name.padEnd(32)}${Number(value.toFixed(4))}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
