import { describe, expect, test } from 'vitest';
import { ingestFile, createRegistry } from '#core/ingest/registry.ts';
import type { Capability, Ingester } from '#core/ingest/ingester.ts';
import type { FileKind } from '#core/ingest/file-kinds.ts';
import { fallbackIngester, ingesterRegistry } from '#core/ingest/ingesters.ts';
import { coverRank, musicIngesters } from '#lanes/music/core/ingesters.ts';

const registry = ingesterRegistry([{ ingesters: musicIngesters }]);
const outcomeOf = (path: string, kind: FileKind, size = 1000) => ingestFile(registry, { path, size, kind }).outcome;

function failureOf(path: string, kind: FileKind, size = 1000): { code: string; message: string; remedy: string } {
  const outcome = outcomeOf(path, kind, size);
  if (outcome.as !== 'failed') throw new Error(`${path} was taken as ${outcome.as}`);
  return outcome.failure;
}

describe('STAGE-4 who reads a file', () => {
  const agent = (agentId: string, priority: number, ...capabilities: Capability[]): Ingester => ({
    ...fallbackIngester,
    agentId,
    priority,
    capabilities,
  });

  test('the lower priority number comes first, the earlier one among equals', () => {
    const made = createRegistry([
      agent('b', 20, 'ingest:flac'),
      agent('a', 10, 'ingest:flac'),
      agent('c', 10, 'ingest:FLAC'),
      fallbackIngester,
    ]);
    expect(made.getBestForCapability('ingest:flac')?.agentId).toBe('a');
    expect(made.getAgent('c')?.priority).toBe(10);
    expect(made.getBestForCapability('ingest:mp3')).toBeUndefined();
  });

  test('exact, then ingest:*, then ingest:text, then the fallback, whatever their priorities', () => {
    const exact = agent('exact', 90, 'ingest:flac');
    const any = agent('any', 20, 'ingest:*');
    const texts = agent('texts', 10, 'ingest:text');
    const all = [texts, any, exact, fallbackIngester];
    const without = (gone: Ingester): Ingester[] => all.filter((one) => one !== gone);
    expect(createRegistry(all).resolve('a/B.FLAC').agentId).toBe('exact');
    expect(createRegistry(all).resolve('a/b.lisp').agentId).toBe('any');
    expect(createRegistry(without(any)).resolve('a/b.lisp').agentId).toBe('texts');
    expect(createRegistry([exact, fallbackIngester]).resolve('a/b.lisp').agentId).toBe('fallback-ingester');
  });

  test('two agents of one name, or no fallback, are refused', () => {
    expect(() => createRegistry([fallbackIngester, fallbackIngester])).toThrow('fallback-ingester');
    expect(() => createRegistry([])).toThrow('fallback-ingester');
  });

  const agents: [string, string][] = [
    ['x.zip', 'zip-ingester'],
    ['x.MP3', 'mp3-ingester'],
    ['x.flac', 'flac-ingester'],
    ['x.m4a', 'm4a-ingester'],
    ['x.mp4', 'm4a-ingester'],
    ['x.m4b', 'm4a-ingester'],
    ['x.aac', 'm4a-ingester'],
    ['x.ogg', 'ogg-ingester'],
    ['x.oga', 'ogg-ingester'],
    ['x.opus', 'opus-ingester'],
    ['x.wav', 'wav-ingester'],
    ['x.aif', 'aiff-ingester'],
    ['x.wma', 'wma-ingester'],
    ['x.wv', 'wavpack-ingester'],
    ['x.cue', 'cue-ingester'],
    ['x.m3u8', 'm3u-ingester'],
    ['cover.jpeg', 'cover-ingester'],
    ['cover.png', 'cover-ingester'],
    ['x.nfo', 'notes-ingester'],
    ['x.log', 'log-ingester'],
    ['x.sfv', 'checksum-ingester'],
    ['Thumbs.db', 'os-metadata-ingester'],
    ['x.rar', 'packed-ingester'],
    ['x.xz', 'unsupported-archive-ingester'],
    ['x.ape', 'ape-ingester'],
    ['x.pdf', 'fallback-ingester'],
    ['README', 'fallback-ingester'],
  ];
  test.each(agents)('%s is read by the %s', (path, agentId) => expect(registry.resolve(path).agentId).toBe(agentId));
});

describe('STAGE-3 content over name', () => {
  test('audio under its own name is taken in silently', () => {
    const kinds: [string, FileKind][] = [
      ['a.mp3', 'mp3'],
      ['a.mp3', 'id3'],
      ['a.flac', 'ogg-flac'],
      ['a.oga', 'opus'],
      ['a.aac', 'aac'],
      ['a.mp4', 'mp4'],
      ['a.wav', 'rf64'],
      ['a.aif', 'aifc'],
    ];
    for (const [path, kind] of kinds)
      expect(outcomeOf(path, kind)).toEqual({ as: 'job', lane: 'music', kind, note: null });
  });

  test('audio under another name is taken in as what it is, and said so', () => {
    expect(outcomeOf('d/a.flac', 'mp3')).toEqual({
      as: 'job',
      lane: 'music',
      kind: 'mp3',
      note: '"a.flac" is named FLAC, but its content is MP3; it is read as that.',
    });
    expect(outcomeOf('a.txt', 'flac')).toMatchObject({ as: 'job', lane: 'music', kind: 'flac' });
    expect(outcomeOf('a.zip', 'wav')).toMatchObject({ as: 'job', lane: 'music', kind: 'wav' });
    expect(outcomeOf('track01', 'mp3')).toMatchObject({
      as: 'job',
      lane: 'music',
      note: '"track01" is MP3 by its content.',
    });
  });

  test('what is no audio is refused by both names', () => {
    expect(failureOf('a/x.flac', 'html')).toMatchObject({
      code: 'file_mislabelled',
      message: '"x.flac" is not FLAC: it is an HTML page.',
    });
    expect(failureOf('x.mp3', 'zip').message).toBe('"x.mp3" is not MP3: it is a ZIP archive.');
    expect(failureOf('x.wav', 'unknown').message).toBe('"x.wav" is not WAV: its content is of no known kind.');
    expect(failureOf('x.zip', 'html').message).toBe('"x.zip" is not a ZIP archive: it is an HTML page.');
    expect(failureOf('cover.jpg', 'html').message).toBe(
      '"cover.jpg" is not a JPEG or PNG picture: it is an HTML page.',
    );
  });
});

describe('STAGE-5 what cannot be taken in says why', () => {
  test('an empty file', () => {
    expect(failureOf('a/x.mp3', 'unknown', 0)).toMatchObject({
      code: 'file_empty',
      message: '"x.mp3" is empty (0 bytes).',
    });
    expect(failureOf('x.zip', 'unknown', 0).code).toBe('file_empty');
    expect(failureOf('cover.jpg', 'unknown', 0).code).toBe('file_empty');
    expect(outcomeOf('x.nfo', 'unknown', 0).as).toBe('companion');
  });

  test('ARCH-10 archives of other kinds', () => {
    expect(failureOf('x.xz', 'xz')).toMatchObject({
      code: 'archive_unsupported',
      message: '"x.xz" is an XZ archive, which cannot be opened here yet; ZIP, TAR, GZ, 7z and RAR archives can.',
    });
    for (const [path, kind] of [
      ['x.bz2', 'bzip2'],
      ['x.zip', 'bzip2'],
      ['x', 'xz'],
      ['x.gz', 'xz'],
    ] as const) {
      expect(failureOf(path, kind).code).toBe('archive_unsupported');
    }
    expect(outcomeOf('x.rar', 'zip')).toEqual({ as: 'archive', kind: 'zip' });
    expect(outcomeOf('x.zip', 'rar')).toEqual({ as: 'archive', kind: 'rar' });
    expect(outcomeOf('x', '7z')).toEqual({ as: 'archive', kind: '7z' });
    expect(outcomeOf('x.tgz', 'gzip')).toEqual({ as: 'archive', kind: 'gzip' });
    expect(outcomeOf('x.zip', 'tar')).toEqual({ as: 'archive', kind: 'tar' });
  });

  test('STAGE-118 what few programs write is audio as any other, under any name', () => {
    for (const [path, kind] of [
      ['x.ape', 'ape'],
      ['x.mpc', 'musepack'],
      ['x.dff', 'dsd'],
      ['x.ra', 'realaudio'],
      ['x.mp3', 'ape'],
    ] as const)
      expect(outcomeOf(path, kind)).toMatchObject({ as: 'job', lane: 'music', kind });
    expect(failureOf('x.ram', 'text').message).toBe('"x.ram" is not RealAudio: it is a text file.');
  });

  const unknown: [string, FileKind, string][] = [
    ['budget.xlsx', 'office', '"budget.xlsx" cannot be taken in: it is a spreadsheet.'],
    ['budget.xlsx', 'zip', '"budget.xlsx" cannot be taken in: it is a spreadsheet.'],
    ['budget.xls', 'ole', '"budget.xls" cannot be taken in: it is a spreadsheet.'],
    ['list.csv', 'text', '"list.csv" cannot be taken in: it is a spreadsheet.'],
    ['book.epub', 'office', '"book.epub" cannot be taken in: it is an e-book.'],
    ['x.pdf', 'pdf', '"x.pdf" cannot be taken in: it is a PDF document.'],
    ['x.mkv', 'matroska', '"x.mkv" cannot be taken in: it is Matroska or WebM.'],
    ['x.jar', 'zip', '"x.jar" cannot be taken in: it is a ZIP archive.'],
    ['x.bin', 'unknown', '"x.bin" cannot be taken in: .bin files are not known here.'],
    ['README', 'unknown', '"README" cannot be taken in: its content is of no known kind.'],
  ];
  test.each(unknown)('%s (%s)', (path, kind, message) => {
    expect(failureOf(path, kind)).toMatchObject({ code: 'file_unsupported', message });
    expect(failureOf(path, kind).remedy).not.toBe('');
  });
});

describe('STAGE-9 companions are quiet', () => {
  const known: [string, FileKind, string, string, string][] = [
    ['x.cue', 'text', 'cue', 'kept, not used: a sheet goes only with a file that is new in the same drop', 'text'],
    ['x.m3u', 'text', 'playlist', 'kept beside the files, not needed', 'text'],
    ['x.nfo', 'unknown', 'text', 'ignored', 'nothing'],
    ['x.url', 'text', 'text', 'ignored', 'nothing'],
    ['tag.py', 'text', 'text', 'ignored', 'nothing'],
    ['list.xml', 'xml', 'text', 'ignored', 'nothing'],
    ['x.html', 'html', 'text', 'ignored', 'nothing'],
    ['x.log', 'text', 'log', 'ignored', 'nothing'],
    ['x.md5', 'text', 'checksum', 'ignored', 'nothing'],
    ['.DS_Store', 'unknown', 'system', 'ignored', 'nothing'],
    ['__MACOSX/._x.mp3', 'unknown', 'system', 'ignored', 'nothing'],
    ['cover.jpg', 'png', 'cover', 'kept as cover', 'blob'],
    ['back.jpg', 'jpeg', 'cover', 'ignored', 'nothing'],
  ];
  test.each(known)('%s', (path, kind, companion, outcome, keep) => {
    expect(outcomeOf(path, kind)).toEqual({ as: 'companion', kind: companion, outcome, keep });
  });

  test('the front cover is told by its name', () => {
    const rank = (name: string): number => coverRank(`a/${name}`);
    expect(['cover.jpg', 'Folder.JPG', 'front.png', 'AlbumArt_{1}_Large.jpg'].map(rank)).toEqual([0, 0, 0, 0]);
    expect(['OK Computer.jpg', 'scan.png', 'Backspacer.jpg', 'Discovery.jpg'].map(rank)).toEqual([1, 1, 1, 1]);
    expect(['back.jpg', 'CD1.jpg', 'booklet-03.jpg', 'cover_back.jpg'].map(rank)).toEqual([2, 2, 2, 2]);
  });
});
