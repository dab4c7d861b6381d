import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OURS, RESULT } from '../../../scripts/lib/vorbis-build.ts';
import { licences } from '#ui/settings/licences.ts';

const read = (path: string): Buffer => readFileSync(new URL(`../../../${path}`, import.meta.url));

test.each([
  ['vorbis.c', OURS],
  ['vorbis.wasm', RESULT],
])('MEDIA-57 %s is what the build script names', (name, sha256) => {
  expect(
    createHash('sha256')
      .update(read(`src/adapters/media/vorbis/${name}`))
      .digest('hex'),
  ).toBe(sha256);
});

test('MEDIA-57 the words that its parts ask for come with the app', () => {
  const notice = read('docs/VORBIS_NOTICES.txt').toString();
  expect(licences).toContain(notice.trim());
  for (const part of ['Xiph.org Foundation', 'Rich Felker', 'Arm Limited', 'Sun Microsystems', 'wasi-libc']) {
    expect(notice).toContain(part);
  }
});
