import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { exportGuide } from '#lanes/guide/bytes/export-guide.ts';
import { ShowCatalog, ShowIndex } from '#lanes/guide/core/repair/show-catalog.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';
import type { Part } from './part.types.ts';

const RepairCase = v.object({ file: v.string(), shows: v.nullish(v.string()) });

/** Writes a guide anew. @returns what was filled */
export async function exported(file: string, to: string, shows: ShowIndex | null, mend: boolean) {
  const pieces: string[] = [];
  const { fills } = await exportGuide(
    () => openGuideFile(file),
    { zone: null, mend: mend ? { shows } : null },
    (text) => Promise.resolve(void pieces.push(text)),
  );
  writeFileSync(to, pieces.join(''));
  return fills.map(({ where, field, value }) => ({ where, field, value }));
}

/** Guides whose faults evidence mends, or must not. */
export const repairs: Part = {
  cases: 'repairs/gold.jsonl',
  answers: 'repairs.jsonl',
  async answer(cases, data, out) {
    const folder = join(out, 'exports/repairs');
    mkdirSync(folder, { recursive: true });
    const answers: unknown[] = [];
    for (const { file, shows } of v.parse(v.array(RepairCase), cases)) {
      const catalog =
        shows == null ? null : v.parse(ShowCatalog, JSON.parse(readFileSync(join(data, 'repairs', shows), 'utf8')));
      const index = catalog === null ? null : new ShowIndex(catalog);
      const to = join(folder, file.replace(/\.gz$/, ''));
      answers.push({ file, fills: await exported(join(data, 'repairs', file), to, index, true) });
    }
    return answers;
  },
};
