import JSZip from 'jszip';
import { expect, it } from 'vitest';
import { makeDemoAlbum } from '#lanes/music/demo/demo-album.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import type { AlbumWithTracks, Track } from '#lanes/music/core/catalog.ts';

function album(tracks: Partial<Track>[]): AlbumWithTracks {
  const all = tracks.map((track, index) => ({
    ...{ id: `t${index}`, album_id: 'a', title: `Song ${index + 1}`, artist_id: 'x', artist: 'AC/DC' },
    ...{ disc: 1, position: index + 1, duration_ms: 265_000, availability: 'missing' as const },
    ...track,
  }));
  const head = { id: 'a', title: 'What? *Now*', artist: 'AC/DC', artist_id: 'x', year: 1997, is_compilation: false };
  return { ...head, discs: 1, track_count: all.length, tracks: all };
}

async function unzip(file: File): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const zip = await JSZip.loadAsync(await file.arrayBuffer());
  const files = Object.values(zip.files).filter((entry) => !entry.dir);
  return new Map(
    await Promise.all(
      files.map(async (entry) => [entry.name, new Uint8Array(await entry.async('uint8array'))] as const),
    ),
  );
}

it('MEDIA-12: an album of tones has the right names and lengths, each file its own bytes, and is small', async () => {
  const lengths = [1_234, 265_017, 59_999];
  const file = await makeDemoAlbum(
    album([...lengths.map((duration_ms) => ({ duration_ms })), { duration_ms: 59_999, title: 'a/b: "c"' }]),
  );
  expect(file.name).toBe('AC_DC - What_ _Now_.zip');
  expect(file.size).toBeLessThan(2_000_000);
  const files = await unzip(file);
  expect([...files.keys()]).toEqual(['01 - Song 1.wav', '02 - Song 2.wav', '03 - Song 3.wav', '04 - a_b_ _c_.wav']);
  const probed = await Promise.all([...files].map(([name, bytes]) => probeBlob(new Blob([bytes]), name)));
  expect(probed.map((each) => each.ok && each.value.duration_ms)).toEqual([...lengths, 59_999]);
  expect(new Set([...files.values()].map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(4);
});

it('MEDIA-12: several discs have folders, an unknown length is three minutes', async () => {
  const files = await unzip(
    await makeDemoAlbum(album([{ duration_ms: null }, { disc: 2, position: 1, duration_ms: 1_000 }])),
  );
  expect([...files.keys()]).toEqual(['Disc 1/01 - Song 1.wav', 'Disc 2/01 - Song 2.wav']);
  const first = await probeBlob(new Blob([files.get('Disc 1/01 - Song 1.wav') ?? '']), 'x.wav');
  expect(first).toMatchObject({ ok: true, value: { duration_ms: 180_000 } });
});
