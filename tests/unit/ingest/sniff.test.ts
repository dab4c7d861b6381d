import { describe, expect, test } from 'vitest';
import { isUtf8 } from '#core/ingest/bytes.ts';
import { FILE_KINDS, type FileKind } from '#core/ingest/file-kinds.ts';
import { id3End, mpegFrameLength, sniff } from '#core/ingest/sniff.ts';
import { HEADS, id3Tag, mp3Frames } from '../../fixtures/heads.ts';

const EXPECTED: Record<keyof typeof HEADS, FileKind> = {
  mp3: 'mp3',
  'mp3 cut within a frame': 'mp3',
  'mp3 behind an ID3 tag': 'mp3',
  flac: 'flac',
  'flac behind an ID3 tag': 'flac',
  vorbis: 'vorbis',
  'vorbis behind a skeleton': 'vorbis',
  opus: 'opus',
  'ogg flac': 'ogg-flac',
  speex: 'ogg-other',
  m4a: 'mp4',
  'mp4 of any brand': 'mp4',
  quicktime: 'quicktime',
  heic: 'heif',
  adts: 'aac',
  wav: 'wav',
  rf64: 'rf64',
  aiff: 'aiff',
  aifc: 'aifc',
  asf: 'asf',
  wavpack: 'wavpack',
  tta: 'tta',
  caf: 'caf',
  w64: 'w64',
  ac3: 'ac3',
  zip: 'zip',
  'empty zip': 'zip',
  xlsx: 'office',
  epub: 'office',
  rar: 'rar',
  '7z': '7z',
  gzip: 'gzip',
  tar: 'tar',
  bzip2: 'bzip2',
  xz: 'xz',
  png: 'png',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  pdf: 'pdf',
  html: 'html',
  'html without a doctype': 'html',
  xml: 'xml',
  text: 'text',
  'text that begins like a Core Audio file': 'text',
  'text in UTF-16': 'text',
  'html in UTF-16': 'html',
  ole: 'ole',
  webm: 'matroska',
  avi: 'avi',
  ape: 'ape',
  appledouble: 'appledouble',
  exe: 'program',
  'an ID3 tag and nothing': 'id3',
  'a large ID3 tag': 'id3',
  nothing: 'unknown',
  zeros: 'unknown',
};

describe('STAGE-3 a file is what its first bytes say', () => {
  for (const [name, head] of Object.entries(HEADS)) {
    test(name, () => expect(sniff(head)).toBe(EXPECTED[name as keyof typeof HEADS]));
  }

  test('no head, cut anywhere, throws, and what is audio is never called another audio', () => {
    for (const [name, head] of Object.entries(HEADS)) {
      const whole = sniff(head);
      for (let length = 0; length <= Math.min(head.length, 64); length++) {
        const cut = sniff(head.subarray(0, length));
        const sound = FILE_KINDS[cut].family === 'audio' && cut !== 'id3';
        if (FILE_KINDS[whole].family === 'audio' && sound) expect([name, length, cut]).toEqual([name, length, whole]);
      }
    }
  });
});

test('MPEG frames have the length that their header says, and reserved values are no header', () => {
  expect(mpegFrameLength(mp3Frames(1), 0)).toBe(417);
  expect(mpegFrameLength(Uint8Array.from([0xff, 0xfb, 0x92, 0]), 0)).toBe(418); // padded
  expect(mpegFrameLength(Uint8Array.from([0xff, 0xf3, 0x80, 0]), 0)).toBe(208); // MPEG 2, 64 kbit/s at 22.05 kHz
  for (const header of [
    [0xff, 0xfb, 0xf0, 0], // bitrate 15
    [0xff, 0xfb, 0x9c, 0], // sample rate 3
    [0xff, 0xeb, 0x90, 0], // version 1
    [0xff, 0xff, 0x90, 0], // layer I
    [0xfe, 0xfb, 0x90, 0],
  ]) {
    expect(mpegFrameLength(Uint8Array.from(header), 0)).toBe(0);
  }
});

test('the end of an ID3 tag counts its header and its footer', () => {
  expect(id3End(id3Tag(1000))).toBe(1010);
  const withFooter = id3Tag(20);
  withFooter[5] = 0x10;
  expect(id3End(withFooter)).toBe(40);
  expect(id3End(mp3Frames(1))).toBeNull();
});

test('UTF-8 is told from what merely looks like it', () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(isUtf8(encode('Sigur Rós – 残酷な天使のテーゼ 🎵'))).toBe(true);
  expect(isUtf8(encode('🎵').subarray(0, 2))).toBe(true); // cut by the end of the head
  for (const bad of [
    [0x42, 0x94, 0x72],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xff],
  ]) {
    expect(isUtf8(Uint8Array.from(bad))).toBe(false);
  }
});
