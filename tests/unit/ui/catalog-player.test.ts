import { expect, test } from 'vitest';
import { ok } from '#core/result.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { CatalogPlayer } from '#lanes/music/ui/player/catalog-player.svelte.ts';

test('UI-59 a catalog track whose URL runs out while it is heard goes on at its second with a new one', async () => {
  let now = 1000;
  let asked = 0;
  const signedUrl = async (path: string) => ok({ url: `${path}?${++asked}`, expires_at: 60_000 });
  const player = new CatalogPlayer(
    async () => ({ signedUrl }),
    () => now,
  );
  const track = { id: 't', title: 'Slow Ferries', artist: 'The Mooring Lines' };
  await player.play(track);
  expect([player.url, player.paused]).toEqual(['/v1/catalog/tracks/t/audio?1', false]);
  player.at = 42;
  now = 61_000;
  await player.failed(undefined);
  expect([player.url, player.at, player.track, player.paused]).toEqual([
    '/v1/catalog/tracks/t/audio?2',
    42,
    track,
    false,
  ]);
});

test('UI-130 a computer without a sound output is named as that, and no track as one that cannot be played', async () => {
  const signedUrl = async (path: string) => ok({ url: path, expires_at: 60_000 });
  const player = new CatalogPlayer(
    async () => ({ signedUrl }),
    () => 1000,
  );
  await player.play({ id: 't', title: 'Slow Ferries', artist: 'The Mooring Lines' });
  await player.failed({ code: 3, message: 'NS_ERROR_DOM_MEDIA_CUBEB_INITIALIZATION_ERR (0x806e000b)' });
  expect(toasts.list.at(-1)?.text).toBe('This computer has no sound output that the browser can use.');
  expect(player.track).toBeNull();
});
