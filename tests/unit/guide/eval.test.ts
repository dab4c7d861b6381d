import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checks } from '../../../scripts/eval/guide/checks.ts';
import { repairs } from '../../../scripts/eval/guide/repairs.ts';
import { guide, programme } from './guide-world.ts';

test('GUIDE-37 the cases of a folder are answered, and their guides written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-eval-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['checks', 'repairs']) {
    mkdirSync(join(folder, part));
    writeFileSync(join(folder, part, 'a.xml'), guide(programme({ inside: '<sub-title>S01E02</sub-title>' })));
  }
  const where = 'a@20240501100000 +0000';
  expect(await checks.answer([{ file: 'a.xml', lineup: null }], folder, folder)).toEqual([
    expect.objectContaining({ file: 'a.xml', programmes: 1, faults: [{ type: 'EPISODE_NUM_MISSING', where }] }),
  ]);
  expect(await repairs.answer([{ file: 'a.xml' }], folder, folder)).toEqual([
    { file: 'a.xml', fills: [{ where, field: 'episode-num', value: '0.1.' }] },
  ]);
  expect(readFileSync(join(folder, 'exports/checks/a.xml'), 'utf8')).not.toContain('episode-num');
  expect(readFileSync(join(folder, 'exports/repairs/a.xml'), 'utf8')).toContain('>0.1.</episode-num>');
});
