import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentWorld, DOI, paper, work } from '../../fixtures/document-world.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';
import { Crash, mortal } from '../../fixtures/rename.ts';

describe('DOCUMENT-35 what is Strong is written', () => {
  test('and nothing else: another title, a source that is down, no identifier', async () => {
    await using it = await documentWorld(
      {
        'a.pdf': paper(1, 'Counting the rivers'),
        'b.pdf': paper(2, 'Something else'),
        'c.pdf': makePdf([column(72, 700, ['Nothing here'])]),
        'd.pdf': 'no PDF',
        'e.pdf': paper(1, 'Counting the rivers'),
      },
      [work(1, 'Counting the rivers'), work(2, 'Tracing the banks'), { status: 403, body: '' }],
    );
    const before = await it.hashes();
    expect(await it.scan({ write: false })).toBe(0);
    expect(it.said.join('\n')).toContain('would write 1 document; nothing was touched');
    expect(await it.hashes()).toEqual(before);
    expect(await it.scan()).toBe(0);
    const after = await it.hashes();
    expect(Object.keys(after)).toEqual(['b.pdf', 'c.pdf', 'counting_the_rivers_2019.pdf', 'd.pdf', 'e.pdf']);
    expect(['b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'].map((name) => after[name])).toEqual([
      before['b.pdf'],
      before['c.pdf'],
      before['d.pdf'],
      before['e.pdf'],
    ]);
    expect(it.said).toContain(
      `  ${DOI(2)} is registered as "Tracing the banks", which does not stand on the first pages.`,
    );
    expect(it.said).toContain('c.pdf: unknown');
  });
});

test('DOCUMENT-36 names say title and year, are never taken twice, and what goes with a document follows', async () => {
  const forbidden = Buffer.from(
    Buffer.from(paper(4, 'Counting the rivers')).toString('latin1').replace('trailer\n<<', 'trailer\n<< /Prev 7'),
    'latin1',
  );
  await using it = await documentWorld(
    {
      'a.pdf': paper(1, 'Counting the rivers'),
      'a.bib': '@article{a}',
      'a.jpg': 'not its',
      's/b.pdf': paper(2, 'Counting the rivers'),
      'x.pdf': paper(3, 'Counting the rivers'),
      'y.pdf': forbidden,
    },
    [1, 2, 3, 4].map((n) => work(n, 'Counting the rivers')),
  );
  await it.scan();
  expect(Object.keys(await it.hashes())).toEqual([
    'a.jpg',
    'counting_the_rivers_2019.bib',
    'counting_the_rivers_2019.pdf',
    'counting_the_rivers_2019_2.pdf',
    's/counting_the_rivers_2019.pdf',
    'y.pdf',
  ]);
  expect(it.said.join('\n')).toContain('y.pdf: not written into, its table of objects is damaged');
  expect((await it.kept()).entries).toHaveLength(4);
  expect((await it.kept()).renames).toHaveLength(3);
});

describe('DOCUMENT-37 as before or as planned', () => {
  const files = { 'a.pdf': paper(1, 'Counting the rivers'), 'b.pdf': paper(2, 'Tracing the banks'), 'c.txt': 'mine' };
  const works = () => [work(1, 'Counting the rivers'), work(2, 'Tracing the banks')];

  test('undo gives every file its content, its name and its time back, and the manifest its entries', async () => {
    await using it = await documentWorld(files, works());
    const before = await it.hashes();
    const time = (await stat(join(it.root, 'a.pdf'))).mtimeMs;
    await it.scan();
    expect(Object.values(await it.hashes())).not.toContain(before['a.pdf']);
    expect(await it.undo()).toBe(0);
    expect(await it.hashes()).toEqual(before);
    expect(Math.abs((await stat(join(it.root, 'a.pdf'))).mtimeMs - time)).toBeLessThan(2);
    expect(await it.kept()).toEqual({ version: 1, entries: [], renames: [] });
    await expect(it.undo()).rejects.toThrow(/No plan was carried out/);
  });

  test('undo refuses as a whole where a file changed since', async () => {
    await using it = await documentWorld(files, works());
    await it.scan();
    await writeFile(join(it.root, 'counting_the_rivers_2019.pdf'), 'of somebody else');
    const before = await it.hashes();
    expect(await it.undo()).toBe(1);
    expect(await it.hashes()).toEqual(before);
    expect(it.said.at(-1)).toContain('changed since');
  });

  test('killed at any write, the next run brings each file to before or after, and the manifest with it', async () => {
    const [first, second] = [await documentWorld(files, works()), await documentWorld(files, works())];
    await using whole = first;
    const before = await whole.hashes();
    await whole.scan();
    const after = await whole.hashes();
    await second[Symbol.asyncDispose]();
    for (let at = 1, died = true; died; at++) {
      await using it = await documentWorld(files, works());
      const using = await it.ports();
      const when = at % 2 === 0 ? 'before' : 'after';
      died = await it.scan({}, { ...using, ...mortal(using.tree, using.journal, { at, when }) }).then(
        () => false,
        (error: unknown) => error instanceof Crash,
      );
      const open = await it.hashes();
      for (const hash of Object.values(open))
        expect([...Object.values(before), ...Object.values(after)]).toContain(hash);
      // A run that has nothing to write settles what was left.
      await it.scan({ skipExisting: true });
      expect(await it.hashes()).toEqual(after);
      expect((await it.kept()).entries).toHaveLength(2);
      expect(at).toBeLessThan(60);
    }
  });
});

describe('DOCUMENT-38 the manifest', () => {
  test('keeps what others wrote, and its ids after writing', async () => {
    await using it = await documentWorld({ 'a.pdf': paper(1, 'Counting the rivers') }, [
      work(1, 'Counting the rivers'),
    ]);
    const [id] = Object.values(await it.hashes());
    const other = {
      id: 'f'.repeat(64),
      filename: 'z.pdf',
      title: 'Z',
      authors: [''],
      publication: '',
      date: '',
      year: null,
      doi: '',
      isbn: '',
      pdf_url: '',
      source_url: '',
      processed: false,
      retrieved_at: '',
      notes: 'mine',
      tags: ['t'],
      shelf: 3,
    };
    await mkdir(join(it.manifest, '..'));
    await writeFile(it.manifest, JSON.stringify({ version: 1, owner: 'me', entries: [other] }));
    await it.scan();
    const kept = await it.kept();
    expect(kept).toMatchObject({
      version: 1,
      owner: 'me',
      entries: [
        other,
        {
          id,
          title: 'Counting the rivers',
          filename: 'counting_the_rivers_2019.pdf',
          processed: true,
          retrieved_at: '2026-01-01T00:00:00.000Z',
        },
      ],
    });
    expect(kept.renames).toEqual([{ id, from: 'a.pdf', to: 'counting_the_rivers_2019.pdf' }]);
    // Known by its content, also after writing.
    await it.scan({ skipExisting: true });
    expect(it.said.at(-1)).toBe('nothing is sure enough to be written');
    await it.scan();
    expect((await it.kept()).entries.map((entry) => entry['id'])).toEqual([other.id, id]);
  });

  test.each(['{"version":2,"entries":[]}', '{"version":1', '[]'])('%s refuses the run and is kept', async (text) => {
    await using it = await documentWorld({ 'a.pdf': paper(1, 'Counting the rivers') }, [
      work(1, 'Counting the rivers'),
    ]);
    await mkdir(join(it.manifest, '..'));
    await writeFile(it.manifest, text);
    const before = await it.hashes();
    await expect(it.scan()).rejects.toThrow(/is no manifest of version 1/);
    expect(await it.hashes()).toEqual(before);
    expect(await readFile(it.manifest, 'utf8')).toBe(text);
  });
});

test('DOCUMENT-73 a scan writes the one of two identifiers whose registered title stands on the first pages, and says both titles where neither does', async () => {
  const either = (title: string) =>
    makePdf([
      [
        { text: `https://doi.org/${DOI(1)}`, x: 72, y: 720 },
        { text: `https://doi.org/${DOI(2)}`, x: 72, y: 700 },
        ...column(72, 650, [title, 'We measured it twice.']),
      ],
    ]);
  await using it = await documentWorld({ 'a.pdf': either('Tracing the banks'), 'b.pdf': either('Something else') }, [
    work(1, 'Counting the rivers'),
    work(2, 'Tracing the banks'),
  ]);
  expect(await it.scan()).toBe(0);
  expect((await it.kept()).entries.map(({ doi }) => doi)).toEqual([DOI(2)]);
  expect(it.said.join('\n')).toContain(`${DOI(1)} is registered as "Counting the rivers".`);
});

test('DOCUMENT-132 `renames` of the manifest has the first name and the newest of each file, an undo of one writing gives the one before, and fields of others stay', async () => {
  await using it = await documentWorld({ 'a.pdf': paper(1, 'Counting the rivers') }, [
    work(1, 'Counting the rivers'),
    work(1, 'Counting the rivers'),
  ]);
  await it.scan();
  const [first] = (await it.kept()).entries;
  const id = first?.['id'];
  const renamed = 'counting_the_rivers_2019.pdf';
  expect((await it.kept()).renames).toEqual([{ id, from: 'a.pdf', to: renamed }]);
  // A person calls it otherwise; what the manifest has of others stays with it.
  await rename(join(it.root, renamed), join(it.root, 'b.pdf'));
  const told = { ...(await it.kept()), renames: [{ id, from: 'a.pdf', to: 'b.pdf', by: 'hand' }] };
  await writeFile(it.manifest, JSON.stringify(told));
  await it.scan();
  expect((await it.kept()).renames).toEqual([{ id, from: 'a.pdf', to: renamed, by: 'hand' }]);
  expect(await it.undo()).toBe(0);
  expect((await it.kept()).renames).toEqual([{ id, from: 'a.pdf', to: 'b.pdf', by: 'hand' }]);
  expect((await it.kept()).entries).toMatchObject([{ id, filename: renamed }]);
  expect(Object.keys(await it.hashes())).toEqual(['b.pdf']);
});
