import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { checkOf } from '#lanes/guide/core/check.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { readLineup } from '#lanes/guide/core/lineup/read-lineup.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';
import { exported } from './repairs.ts';
import type { Part } from './part.types.ts';

const CheckCase = v.object({ file: v.string(), lineup: v.nullish(v.string()) });

/** Guides with faults. */
export const checks: Part = {
  cases: 'checks/gold.jsonl',
  answers: 'checks.jsonl',
  async answer(cases, data, out) {
    const folder = join(out, 'exports/checks');
    mkdirSync(folder, { recursive: true });
    const answers: unknown[] = [];
    for (const { file, lineup } of v.parse(v.array(CheckCase), cases)) {
      const checker = new GuideChecker();
      const read = await readGuide(await openGuideFile(join(data, 'checks', file)), checker);
      const check = checkOf(
        checker.end(read),
        lineup == null ? null : readLineup(readFileSync(join(data, 'checks', lineup), 'utf8')),
      );
      const { programmes, channels, faults, envelope, issues } = check;
      await exported(join(data, 'checks', file), join(folder, file.replace(/\.gz$/, '')), null, false);
      answers.push({ file, programmes, channels, faults, envelope, issues });
    }
    return answers;
  },
};
