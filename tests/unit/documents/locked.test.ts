import { expect, test } from 'vitest';
import { documentWorld, paper, work } from '../../fixtures/document-world.ts';
import { documentRoom, valueOf } from '../../fixtures/document-room.ts';
import { lockedPdf } from '../../fixtures/locked-pdf.ts';

const WORD = 'weir and sluice';
const locked = () => lockedPdf(paper(1, 'Counting the rivers'), WORD);

test('DOCUMENT-81 the page asks for the password of a PDF, reads it with that, and writes its record into the manifest alone', async () => {
  const { service, rows, folder, open } = documentRoom(
    { 'a.pdf': await locked() },
    { '10.5555/river.1': 'Counting the rivers' },
  );
  const before = folder.disk.files.get('a.pdf')?.bytes;
  await open();
  const first = rows.get('a.pdf');
  expect(first).toMatchObject({ locked: true, proposal: { sure: 'unknown' } });
  expect(first?.proposal.reasons).toEqual(['It is protected by a password.']);

  expect(await service.unlock('a.pdf', 'sluice', true)).toMatchObject({
    ok: false,
    failure: { message: 'That is not its password.' },
  });
  const read = valueOf(await service.unlock('a.pdf', WORD, true));
  expect(read).toMatchObject({ locked: false, id: first?.id, proposal: { sure: 'strong', source: 'crossref' } });
  expect(read.evidence[0]).toMatchObject({ field: 'doi', page: 1 });

  const preview = valueOf(await service.preview({ decided: [{ path: 'a.pdf', action: 'write' }], rename: true }));
  expect(preview.names).toEqual({ 'a.pdf': 'a.pdf' });
  const applied = valueOf(await service.apply(preview.hash, () => undefined));
  expect(applied.unwritten).toEqual([{ path: 'a.pdf', reason: expect.stringContaining('it is encrypted') }]);
  expect(folder.disk.files.get('a.pdf')?.bytes).toEqual(before);
  const manifest = new TextDecoder().decode(folder.disk.files.get('manifest.json')?.bytes);
  expect(JSON.parse(manifest)).toMatchObject({ entries: [{ doi: '10.5555/river.1', processed: true }] });
  expect(manifest).not.toContain('sluice');
});

test('DOCUMENT-81 at the terminal P asks for the password, which is not shown; the file keeps every byte', async () => {
  await using it = await documentWorld({ 'a.pdf': await locked() }, [work(1, 'Counting the rivers')]);
  const before = await it.hashes();
  const { code, shown } = await it.asked(['p', 'sluice', 'P', WORD, 'w']);
  expect(code).toBe(0);
  const bars = shown.filter((line) => line.includes('[Q]uit'));
  expect(bars[0]).toBe('[P]assword  [D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit > ');
  expect(shown.join('')).toContain('That is not its password.');
  expect(bars.at(-1)).toBe('[W]rite  [D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit > ');
  expect(shown.join('')).toContain('Nothing is written into it: it is encrypted');
  expect(shown.join('')).not.toContain('sluice');
  expect(await it.hashes()).toEqual(before);
  expect((await it.kept()).entries).toMatchObject([{ processed: true, title: 'Counting the rivers' }]);
});

test('DOCUMENT-81 nobody is asked with --yes: it is named with the reason', async () => {
  await using it = await documentWorld({ 'a.pdf': await locked() }, []);
  expect(await it.scan()).toBe(0);
  expect(it.said.join('\n')).toContain('it is protected by a password');
});
