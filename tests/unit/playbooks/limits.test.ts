/** Limits of what a playbook reads and is answered, each just below and just above. */
import { open, truncate } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exceedsBytes } from '#core/utf8.ts';
import { MOST_ANSWER, withinBytes } from '#lanes/playbooks/core/answer/read-answer.ts';
import { openStep } from '#lanes/playbooks/core/check/open-step.ts';
import { prepare } from '#lanes/playbooks/core/check/prepare.ts';
import { FAULT_CODES, type Fault } from '#lanes/playbooks/core/faults.ts';
import { faultLine } from '#lanes/playbooks/cli/fault-line.ts';
import { checkSize } from '#lanes/playbooks/core/files/contents.ts';
import { readPlaybook } from '#lanes/playbooks/core/read/playbook.ts';
import type { PlaybookFiles } from '#lanes/playbooks/core/run/ports.ts';
import { ConfigValues } from '#lanes/playbooks/core/tokens/config-values.ts';
import { scopeOf } from '#lanes/playbooks/core/tokens/scopes.ts';
import { FolderFiles } from '#lanes/playbooks/browser/folder-files.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { DiskFiles } from '#lanes/playbooks/node/disk-files.ts';
import { fakeFolder } from '../../fixtures/fake-folder.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const MIB = 1024 * 1024;
const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));
const tooLarge = { code: 'too_large' };

const stepOf = (rest: string) => {
  const text = `playbook: 1\nsteps:\n  - instruction_user_prompt: x\n    output: o.md\n${rest}`;
  return readPlaybook(text).playbook?.steps[0] ?? expect.fail();
};
const opened = (rest: string, files: PlaybookFiles) =>
  openStep(stepOf(rest), scopeOf({ config: new ConfigValues({}), unit: null, step: () => undefined }), files);

test('PLAYBOOK-81 bytes are counted as UTF-8, in any script', () => {
  for (const text of ['', 'abc', 'é', 'é€', '€', '\u{1f426}', 'a\u{1f426}é'])
    for (const more of [-1, 0, 1]) {
      const bytes = new TextEncoder().encode(text).length;
      expect(exceedsBytes(text, bytes + more), `${text} ${more}`).toBe(more < 0);
    }
});

test('PLAYBOOK-81 a file of more than 64 MiB is not read: on the disk by its size, elsewhere by its bytes', async () => {
  await using folder = await temporaryFolder();
  // Holes: nothing is written.
  for (const [name, size] of [
    ['most.md', 64 * MIB],
    ['more.md', 64 * MIB + 1],
  ] as const) {
    await (await open(join(folder.root, name), 'w')).close();
    await truncate(join(folder.root, name), size);
  }
  const files = await DiskFiles.open(folder.root);
  await expect(files.read('more.md')).rejects.toMatchObject({ ...tooLarge, key: 'more.md' });
  const { handle } = fakeFolder({ 'more.md': '' });
  const big = { size: 64 * MIB + 1 } as File;
  handle.getFileHandle = () => Promise.resolve({ getFile: () => Promise.resolve(big) } as FileSystemFileHandle);
  const inFolder = new FolderFiles(handle, { now: () => 0 }, sha256);
  await expect(inFolder.read('more.md')).rejects.toMatchObject(tooLarge);
  const most = 'x'.repeat(64 * MIB);
  expect(() => checkSize('a.md', most)).not.toThrow();
  expect(() => checkSize('a.md', `${most}x`)).toThrow('"a.md" is larger than 64 MiB.');
});

test('PLAYBOOK-81 a step reads 10,000 files and no more, by a pattern as by their names', async () => {
  const names = Array.from({ length: 10_001 }, (_, n) => `d/${n}.md`);
  const files = (count: number) =>
    new MemoryFiles(Object.fromEntries(names.slice(0, count).map((name) => [name, 'x'])), sha256);
  const glob = '    input: d/*.md\n    multiple_parts: true\n';
  expect((await opened(glob, files(10_000))).frames.length).toBe(10_000);
  await expect(opened(glob, files(10_001))).rejects.toMatchObject({ ...tooLarge, key: 'd/*.md' });
  const there: PlaybookFiles = Object.assign(files(0), { isThere: () => Promise.resolve(true) });
  await expect(opened(`    input: [${names.join(', ')}]\n`, there)).rejects.toMatchObject({
    ...tooLarge,
    key: 'd/10000.md',
  });
});

test('PLAYBOOK-81 a step has 100,000 units and no more, in an array as in a tree', async () => {
  const files = (count: number) =>
    new MemoryFiles({ 'a.json': `[${'0,'.repeat(count - 1)}0]`, 't.json': `[${'{},'.repeat(count - 1)}{}]` }, sha256);
  const array = '    input: a.json\n    input_division: array\n';
  expect((await opened(array, files(100_000))).frames.length).toBe(100_000);
  await expect(opened(array, files(100_001))).rejects.toMatchObject(tooLarge);
  const tree = "    input: t.json\n    input_division: 'tree(c)'\n";
  await expect(opened(tree, files(100_001))).rejects.toMatchObject(tooLarge);
  const text = 'playbook: 1\nsteps:\n  - instruction_user_prompt: x\n    output: o.md\n';
  const { faults } = await prepare(
    { playbook: text + array, config: {}, set: {}, overwrite: false },
    {
      ...{ files: files(100_001), tools: [], sha256 },
      models: { nameOf: () => 'm', open: () => expect.fail(), price: { in: 0, out: 0 } },
    },
  );
  expect(faults).toMatchObject([tooLarge]);
});

test('PLAYBOOK-81 an answer of more than 16 MiB is none', () => {
  const read = withinBytes((text) => ({ ok: true, value: text.length }));
  expect(read('x'.repeat(MOST_ANSWER))).toEqual({ ok: true, value: 16 * MIB });
  expect(read('x'.repeat(MOST_ANSWER + 1))).toEqual({ ok: false, reason: 'it is longer than 16 MiB' });
  expect(read('€'.repeat(MOST_ANSWER / 2))).toMatchObject({ ok: false });
});

test('PLAYBOOK-80 remedies name no option; the terminal adds it to the usual one', () => {
  const usual = Object.values(FAULT_CODES).join(' ');
  expect(usual).not.toContain('--');
  const fault = (code: keyof typeof FAULT_CODES, remedy: string = FAULT_CODES[code]): Fault => ({
    ...{ code, key: 'k', step: null, at: null, message: 'So it is.', remedy },
  });
  expect(faultLine(fault('budget'))).toBe('So it is. Raise the limit and resume the run (--limit KEY=VALUE). (budget)');
  expect(faultLine(fault('budget', 'Do that.'))).toBe('So it is. Do that. (budget)');
  const options = Object.keys(FAULT_CODES).map((code) => faultLine(fault(code as keyof typeof FAULT_CODES)));
  const named = ['--set', '--overwrite', '--model-map', '--domains', '--limit', '--reuse'];
  expect(named.filter((option) => options.some((line) => line.includes(option)))).toEqual(named);
});
