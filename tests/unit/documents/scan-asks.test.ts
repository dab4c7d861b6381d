import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { registerScan } from '#lanes/documents/cli/scan-commands.ts';
import { scanCommand } from '#lanes/documents/cli/scan.ts';
import { trashCommand } from '#lanes/documents/node/trash.ts';
import { documentWorld, DOI, paper, work } from '../../fixtures/document-world.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';

const NONE = makePdf([column(72, 700, ['Nothing here'])]);
const RIVER = { 'a.pdf': paper(1, 'Counting the rivers') };
const river = () => work(1, 'Counting the rivers');

describe('DOCUMENT-65 a person is asked about each document', () => {
  test.each(['W', 'w'])('%s writes it at once, and undo takes it back', async (key) => {
    await using it = await documentWorld(RIVER, [river()]);
    const before = await it.hashes();
    const { code, shown } = await it.asked([key]);
    expect(code).toBe(0);
    const text = shown.join('');
    expect(text).toContain('1. a.pdf');
    expect(text).toContain('title       Counting the rivers');
    expect(text).toContain('doi in text, page 1');
    expect(text).toContain('-> counting_the_rivers_2019.pdf');
    expect(text).toContain('[W]rite  [D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit > ');
    expect(it.said.at(-1)).toBe('1 written, 0 skipped, 0 removed');
    expect(Object.keys(await it.hashes())).toEqual(['counting_the_rivers_2019.pdf']);
    expect((await it.kept()).entries).toMatchObject([{ processed: true, title: 'Counting the rivers' }]);
    expect(await it.undo()).toBe(0);
    expect(await it.hashes()).toEqual(before);
  });

  test('D and I look up what is given, and ask again', async () => {
    await using it = await documentWorld({ 'a.pdf': NONE }, [{ status: 403, body: '' }, work(2, 'Tracing the banks')]);
    const { shown } = await it.asked(['w', 'd', 'no doi', 'i', '', 'D', `https://doi.org/${DOI(2)}`, 'W']);
    const bars = shown.filter((line) => line.includes('[Q]uit'));
    expect(bars[0]).toBe('[D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit > ');
    expect(shown.join('')).toContain('"W" is none of the choices.');
    expect(shown.join('')).toContain('"no doi" is no DOI.');
    // No record, no W.
    expect(bars.at(-1)).toBe('[D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit > ');
    expect(it.said.at(-1)).toBe('0 written, 0 skipped, 0 removed');
    const again = await it.asked(['d', DOI(2), 'w'], {});
    expect(again.shown.join('')).toContain(`${DOI(2)} is registered as "Tracing the banks"`);
    expect((await it.kept()).entries).toMatchObject([{ doi: DOI(2), processed: true }]);
  });

  test('S leaves the file and says so in the manifest, none without one', async () => {
    await using it = await documentWorld(RIVER, [river()]);
    const before = await it.hashes();
    await it.asked(['s'], { manifest: false });
    await expect(it.kept()).rejects.toThrow();
    await it.asked(['s']);
    expect(await it.hashes()).toEqual(before);
    expect((await it.kept()).entries).toMatchObject([{ processed: false, filename: 'a.pdf' }]);
    // Not processed: it is asked about again.
    expect((await it.asked(['q'], { skipExisting: true })).shown.join('')).toContain('1. a.pdf');
    await it.asked(['w'], { skipExisting: true });
    expect((await it.asked([], { skipExisting: true })).shown).toEqual([]);
  });

  test('R only with --allow-delete and a second question; into the trash, and back by undo', async () => {
    await using it = await documentWorld(RIVER, [river()]);
    const before = await it.hashes();
    expect((await it.asked(['r'])).shown.join('')).toContain('"R" is none of the choices.');
    await it.asked(['r', 'n', 'q'], { allowDelete: true });
    expect(await it.hashes()).toEqual(before);
    await it.asked(['r', 'y'], { allowDelete: true });
    expect(it.said.at(-1)).toBe('0 written, 0 skipped, 1 removed');
    expect(Object.keys(await it.hashes())).toEqual(['.accession-trash/a.pdf']);
    const said: string[] = [];
    await trashCommand(it.root, false, (line) => said.push(line));
    expect(said).toEqual(['a.pdf', expect.stringContaining('1 file in')]);
    expect(await it.undo()).toBe(0);
    expect(await it.hashes()).toEqual(before);
    await it.asked(['R', 'yes'], { allowDelete: true });
    await trashCommand(it.root, true, (line) => said.push(line));
    expect(said.at(-1)).toBe('1 file removed for good');
    expect(await it.hashes()).toEqual({});
    await trashCommand(it.root, true, (line) => said.push(line));
    expect(said.at(-1)).toBe('the trash is empty');
    await expect(trashCommand(join(it.root, 'none'), true, () => undefined)).rejects.toThrow(/no folder/);
  });

  test('DOCUMENT-66 Q and the end of the answers stop; what was decided is done', async () => {
    const files = { ...RIVER, 'b.pdf': paper(2, 'Tracing the banks'), 'c.pdf': NONE };
    await using it = await documentWorld(files, [river(), work(2, 'Tracing the banks')]);
    await it.asked(['w', 'q']);
    expect(Object.keys(await it.hashes())).toEqual(['b.pdf', 'c.pdf', 'counting_the_rivers_2019.pdf']);
    const { shown } = await it.asked(['s'], { skipExisting: true });
    expect(shown.filter((line) => line.includes('[Q]uit'))).toHaveLength(2);
  });

  test('one screen where it is large enough, questions below it; a document cannot steer it', async () => {
    const files = { 'a.pdf': paper(1, 'Counting the rivers') };
    await using it = await documentWorld(files, [work(1, 'Red \u001B[31m\u202Eherring')]);
    const screen = await it.asked(['q'], { interactive: 'tui' }, { columns: 80, rows: 24 });
    expect(screen.shown).toHaveLength(1);
    expect(screen.shown[0]?.startsWith('\u001B[2J\u001B[H1. a.pdf\r\n')).toBe(true);
    expect(screen.shown[0]).toContain('\u001B[24;1H\u001B[7m[W]rite  [D]OI  [I]SBN  [T]itle  [S]kip  [Q]uit');
    for (const sign of ['\u001B[31m', '\u202E']) expect(screen.shown[0]).not.toContain(sign);
    const small = await it.asked(['q'], { interactive: 'tui' }, { columns: 79, rows: 24 });
    expect(small.shown.at(-1)).toContain('[Q]uit > ');
  });

  test('without a terminal nobody is asked, and nothing is touched', async () => {
    await using it = await documentWorld(RIVER, []);
    const flags = { write: true, rename: 'yes', manifest: it.manifest } as const;
    await expect(scanCommand(flags, await it.ports())).rejects.toThrow(/Nobody can be asked/);
  });
});

describe('DOCUMENT-66 which documents, and where to', () => {
  test('--glob, --depth, --move-to, --jobs, and one file alone', async () => {
    const files = { ...RIVER, 'x/b.pdf': paper(2, 'Tracing the banks'), 'x/y/c.pdf': NONE };
    // Which of them is asked about first is not said where several are read at a time.
    const works = () => [
      { ...river(), about: DOI(1) },
      { ...work(2, 'Tracing the banks'), about: DOI(2) },
    ];
    await using it = await documentWorld(files, [work(2, 'Tracing the banks')]);
    await it.scan({ glob: 'x/**/*.pdf', depth: 1, moveTo: 'read/papers' });
    expect(Object.keys(await it.hashes())).toEqual(['a.pdf', 'read/papers/tracing_the_banks_2019.pdf', 'x/y/c.pdf']);
    await expect(it.scan({ moveTo: '../elsewhere' })).rejects.toThrow(/not a folder within/);
    await using two = await documentWorld(files, works());
    await two.scan({ jobs: 4 });
    expect(two.said.filter((line) => /: (?:strong|unknown)$/.test(line))).toEqual([
      'a.pdf: strong',
      'x/b.pdf: strong',
      'x/y/c.pdf: unknown',
    ]);
    await using one = await documentWorld(files, works());
    const said = await scanCommand({ rename: 'yes', manifest: false }, await one.ports(), null, { path: 'a.pdf' });
    expect([said, one.said.filter((line) => line.endsWith(': strong'))]).toEqual([0, ['a.pdf: strong']]);
  });

  test('offline, what was never looked up is what the document says itself, marked so', async () => {
    const own = makePdf([column(72, 700, [`https://doi.org/${DOI(1)}`])], { info: { Title: 'Its own title' } });
    await using it = await documentWorld({ 'a.pdf': own }, []);
    const ports = {
      ...(await it.ports()),
      lookup: { find: () => Promise.resolve(LATER), byTitle: () => Promise.resolve({ candidates: [], later: null }) },
    };
    await scanCommand({ rename: 'yes', manifest: false }, ports);
    expect(it.said.join('\n')).toContain('Its own title');
    expect(it.said.join('\n')).toContain('(the document itself)');
    expect(it.said[0]).toBe('a.pdf: unsure');
  });
});

const LATER = { outcome: 'later', source: null, why: 'Nothing is asked offline.' } as const;

test('DOCUMENT-66 scripts/documents.mk has the two targets, with flags that there are', async () => {
  const text = await readFile(new URL('../../../scripts/documents.mk', import.meta.url), 'utf8');
  expect(text).toMatch(/^scan-metadata:$/m);
  expect(text).toMatch(/^repair-metadata:$/m);
  const documents = new Command('documents');
  registerScan(documents, {
    say: () => undefined,
    onStop: () => undefined,
    loadFolders: () => Promise.reject(new Error()),
    openModel: () => Promise.reject(new Error()),
  });
  const known = documents.commands.flatMap(({ options }) => options.map(({ long }) => long));
  for (const [flag] of text.matchAll(/--[a-z-]+/g)) expect(known).toContain(flag);
});

test('DOCUMENT-72 --mark-skipped writes /ProcessedBy into what is skipped and says nothing of itself, into nothing else, and undo takes it back', async () => {
  const files = {
    'a.pdf': makePdf([column(72, 700, ['Nothing here'])]),
    'b.pdf': makePdf([column(72, 700, ['Nothing there'])], { info: { Title: 'A leaflet' } }),
  };
  await using it = await documentWorld(files, []);
  const before = await it.hashes();
  await it.asked(['S', 'S'], { manifest: false });
  expect(await it.hashes()).toEqual(before);
  await it.asked(['S', 'S'], { markSkipped: true });
  const after = await it.hashes();
  expect(after['b.pdf']).toBe(before['b.pdf']);
  const marked = await readFile(join(it.root, 'a.pdf'));
  expect(marked.subarray(0, files['a.pdf'].length).equals(files['a.pdf'])).toBe(true);
  const pdf = await nodePdfText().open(new Uint8Array(marked));
  expect((await pdf.facts()).info.get('ProcessedBy')).toBe('Accession');
  expect((await pdf.facts()).xmp).toBeNull();
  await pdf.close();
  expect((await it.kept()).entries.map(({ processed }) => processed)).toEqual([false, false]);
  await it.undo();
  await it.undo();
  expect(await it.hashes()).toEqual(before);
});
