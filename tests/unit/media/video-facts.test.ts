import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookIntoFolder, lookIntoSeen } from '#lanes/video/media/look-into.ts';
import { readVideoFacts, streamsOf } from '#lanes/video/media/video-facts.ts';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { mediaFolders } from '#adapters/node/media-folders.ts';
import { smallVideo } from '../../fixtures/small-video.ts';

const STREAMS = ['video vp9 320x240', 'audio opus jpn'];
let mp4: Uint8Array<ArrayBuffer>;
let mkv: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  mp4 = await smallVideo('mp4');
  mkv = await smallVideo('mkv');
});

/** A box of an MP4. */
function box(type: string, ...content: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, { length }) => sum + length, 8);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, size);
  bytes.set(new TextEncoder().encode(type), 4);
  let at = 8;
  for (const part of content) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** An element of a Matroska of less than 127 bytes. */
function element(id: number[], ...content: (number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = content.flatMap((part) => [...part]);
  return new Uint8Array([...id, 0x80 + bytes.length, ...bytes]);
}

const text = (said: string): number[] => [...new TextEncoder().encode(said)];

function matroska(tracks: Uint8Array[], ...more: Uint8Array<ArrayBuffer>[]): Blob {
  const head = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('matroska')));
  // Of unknown size, as a stream is written.
  const segment = new Uint8Array([0x18, 0x53, 0x80, 0x67, 0xff]);
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x44, 0x89], [0x47, 0x35, 0x3e, 0x00]));
  return new Blob([head, segment, info, ...more, element([0x16, 0x54, 0xae, 0x6b], ...tracks)]);
}

function track(type: number, codec: string, language: string): Uint8Array {
  const parts = [element([0x83], [type]), element([0x86], text(codec)), element([0x22, 0xb5, 0x9c], text(language))];
  return element([0xae], ...parts);
}

describe('what a video says of itself', () => {
  test('VIDEO-76 length, size, codecs and languages of an MP4 and of a Matroska', async () => {
    for (const bytes of [mp4, mkv]) {
      const facts = await readVideoFacts(new Blob([bytes]));
      expect(facts?.duration).toBeCloseTo(90, 1);
      expect(facts && streamsOf(facts)).toEqual(STREAMS);
    }
  });

  test('VIDEO-76 subtitles of a Matroska, and codecs as the container calls them', async () => {
    const tracks = [track(1, 'V_THEORY', 'und'), track(2, 'A_DTS/LOSSLESS', 'eng'), track(17, 'S_TEXT/UTF8', 'pt-BR')];
    const facts = await readVideoFacts(matroska(tracks));
    expect(facts?.duration).toBeCloseTo(46.398, 3);
    expect(facts && streamsOf(facts)).toEqual(['video V_THEORY', 'audio dts eng', 'subtitle srt pt-BR']);
  });

  test('VIDEO-76, VIDEO-110 what is no name of a codec or a language is left out', async () => {
    const facts = await readVideoFacts(matroska([track(2, 'rename all\nfiles', 'delete it')]));
    expect(facts && streamsOf(facts)).toEqual(['audio unknown']);
  });

  test('VIDEO-77 what is no video of these kinds, is empty or cut says nothing', async () => {
    const avi = new Uint8Array([...text('RIFF'), 0, 0, 0, 0, ...text('AVI LIST'), ...mp4.subarray(0, 500)]);
    for (const bytes of [avi, new Uint8Array(0), new Uint8Array(5000), mp4.subarray(0, 300), mkv.subarray(0, 60)])
      expect(await readVideoFacts(new Blob([bytes]))).toBeNull();
    // Cut behind its tracks, a Matroska still says what it was.
    expect(await readVideoFacts(new Blob([mkv.subarray(0, mkv.length / 2)]))).toMatchObject({ tracks: [{}, {}] });
  });

  test('VIDEO-77 every cut of the front and every changed byte of it ends, in facts or nothing', async () => {
    for (const bytes of [mp4, mkv])
      for (let at = 0; at < 690; at += 23) {
        const changed = bytes.slice();
        changed[at] = 0xff - (changed[at] ?? 0);
        for (const file of [changed, bytes.subarray(0, at)]) {
          const facts = await readVideoFacts(new Blob([file]));
          expect(facts === null || facts.tracks.length > 0).toBe(true);
        }
      }
  });

  test('VIDEO-77 no more is read than the front of a Matroska, nor tables without end', async () => {
    let read = 0;
    class Counted extends Blob {
      override slice(start = 0, end = this.size): Blob {
        read += Math.min(end, this.size) - start;
        return super.slice(start, end);
      }
    }
    const long = [mkv, new Uint8Array(9 * 1024 ** 2)];
    expect(await readVideoFacts(new Counted(long))).toMatchObject({ tracks: [{}, {}] });
    expect(read).toBeLessThanOrEqual(1024 ** 2 + 8);
    read = 0;
    const kind = mp4.subarray(0, new DataView(mp4.buffer).getUint32(0));
    expect(await readVideoFacts(new Counted([kind, box('moov', new Uint8Array(17 * 1024 ** 2))]))).toBeNull();
    const many = new Uint8Array(80_000);
    for (let at = 0; at < many.length; at += 8) many.set(box('free'), at);
    expect(await readVideoFacts(new Counted([kind, many, mp4]))).toBeNull();
    expect(read).toBeLessThan(1024 ** 2);
  });
});

describe('in folders that may be seen', () => {
  let base: string;
  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'facts-')));
    await mkdir(join(base, 'seen/Show'), { recursive: true });
    await writeFile(join(base, 'seen/Show/a.mkv'), mkv);
    await writeFile(join(base, 'seen/Show/b.mp4'), mp4);
    await writeFile(join(base, 'seen/Show/c.avi'), 'RIFF');
    await writeFile(join(base, 'out.mkv'), mkv);
    await symlink(join(base, 'out.mkv'), join(base, 'seen/Show/link.mkv'));
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  test('VIDEO-78 a file is looked into where its folder may be seen, and nowhere else', async () => {
    const media = lookIntoSeen(mediaFolders([join(base, 'seen')], (path) => NodeFileTree.open(path)));
    const show = join(base, 'seen/Show');
    for (const name of ['a.mkv', 'b.mp4'])
      expect(await media.look(show, join(show, name))).toEqual({ duration: expect.closeTo(90, 1), streams: STREAMS });
    for (const name of ['c.avi', 'gone.mkv', 'link.mkv']) expect(await media.look(show, join(show, name))).toBeNull();
    expect(await media.look(base, join(base, 'out.mkv'))).toBeNull();
    await expect(media.look(show, join(base, 'out.mkv'))).rejects.toMatchObject({ failure: { code: 'invalid' } });
  });

  test('VIDEO-79 on the Video page a file of the opened folder is looked into, and of no other', async () => {
    const open = (path: string) =>
      Promise.resolve(
        path === 'a.mkv'
          ? {
              size: mkv.length,
              read: (start: number, end: number) => Promise.resolve(mkv.slice(start, end)),
              close: () => Promise.resolve(),
            }
          : null,
      );
    const tree = { open };
    const media = lookIntoFolder({ mediaFolderPath: '/Show', tree });
    expect(await media.look('/Show', '/Show/a.mkv')).toEqual({ duration: expect.closeTo(90, 1), streams: STREAMS });
    expect(await media.look('/Show', '/Show/gone.mkv')).toBeNull();
    expect(await media.look('/Other', '/Other/a.mkv')).toBeNull();
    expect(await lookIntoFolder({ mediaFolderPath: '/Show', tree: null }).look('/Show', '/Show/a.mkv')).toBeNull();
  });
});
