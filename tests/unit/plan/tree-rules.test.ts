import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NodeFileTree } from '#adapters/node/file-tree.ts';

const top = mkdtempSync(join(tmpdir(), 'ACCESSION-rules-'));
afterAll(() => rmSync(top, { recursive: true }));

const here = process.platform;
/** The rules of the folder as Node finds them on that system. */
async function rulesOn(platform: NodeJS.Platform) {
  Object.defineProperty(process, 'platform', { value: platform });
  try {
    return (await NodeFileTree.open(top)).rules;
  } finally {
    Object.defineProperty(process, 'platform', { value: here });
  }
}

test('PLAN-80 how names behave is found from the names that are there, without writing', async () => {
  const name = 'Abc \u00e9.mkv';
  writeFileSync(join(top, name), '');
  // What the names say counts more than the habit of the system.
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(await rulesOn(platform)).toMatchObject({
      caseSensitive: !existsSync(join(top, name.toLowerCase())),
      unicode: existsSync(join(top, name.normalize('NFD'))) ? 'nfc-insensitive' : 'preserve',
      windowsNames: platform === 'win32',
      limits: { name: 255, unit: platform === 'win32' ? 'units' : 'bytes' },
    });
  }
  expect(readdirSync(top)).toEqual([name]);
});

test('PLAN-80 where no name can tell, it is what is usual on the system', async () => {
  const plain = join(top, '1');
  // Neither letters to turn nor accents: digits have one form.
  rmSync(join(top, readdirSync(top)[0] ?? ''));
  writeFileSync(plain, '');
  expect((await rulesOn('darwin')).unicode).toBe('nfc-insensitive');
  expect((await rulesOn('linux')).unicode).toBe('preserve');
});
