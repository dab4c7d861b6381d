import { expect, test } from 'vitest';
import { editionAsked } from '#lanes/music/ui/review/question-words.ts';

const asked = (album: string | null, labels: readonly string[], kind: 'album' | 'track' = 'album') =>
  editionAsked({
    kind,
    detected: { album, artist: 'Valvehead', title: null },
    options: labels.map((label) => ({ label, album: { title: label } })),
  } as unknown as Parameters<typeof editionAsked>[0]);

test.each([
  [true, 'Fine Machine (Remastered 2009)', ['Fine Machine', 'Rough Machine']],
  [true, 'Fine Machine [Deluxe Edition]', ['Fine Machine']],
  [false, 'Fine Machine', ['Fine Machine']],
  [false, 'Fine Machine (Remastered)', ['Fine Machine (2009 Remaster)']],
  [false, 'Fine Machine (Remastered)', ['Fine Machine', 'Fine Machine (Deluxe)']],
  [false, 'Fine Machine (Remastered)', ['Rough Machine']],
  [false, 'Fine Machine (Live, Remastered)', ['Fine Machine']],
  [false, null, ['Fine Machine']],
  [false, 'Fine Machine (Remastered)', []],
] as const)('UI-295 %s is offered for "%s" among %j', (offered, album, labels) => {
  expect(asked(album, labels)).toBe(offered);
});

test('UI-295 it is no question about a track', () => {
  expect(asked('Fine Machine (Remastered)', ['Fine Machine'], 'track')).toBe(false);
});
