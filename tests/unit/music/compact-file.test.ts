import { describe, expect, it } from 'vitest';
import { AccessionError } from '#core/errors.ts';
import { CompactBuilder } from '#lanes/music/core/index/build.ts';
import { packCatalog, unpackCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { openCompactIndex, type CompactIndex } from '#lanes/music/core/index/compact-index.ts';
import { textKey } from '#core/text/similarity.ts';
import { COMPUTER, ROAD, catalogOf, fillers } from './small-catalog.ts';

const catalog = catalogOf([ROAD, COMPUTER, ...fillers(5)]);
const note = { catalog_id: 'cat-1', version: 7 };

function packed(reversed = false): ArrayBuffer {
  const builder = new CompactBuilder();
  const order = <T>(rows: readonly T[]): T[] => (reversed ? [...rows].reverse() : [...rows]);
  for (const row of order(catalog.tracks))
    builder.addTrack({ ...row, availability: 'available', original_sha256: 'ab' });
  for (const row of order(catalog.albums)) builder.addAlbum({ ...row, external_ids: { mbid: row.id } });
  for (const row of order(catalog.artists)) builder.addArtist(row);
  const { catalog: made, strings } = builder.finish(note);
  const pieces = packCatalog(made, strings);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.buffer;
}

const openPacked = (buffer: ArrayBuffer): CompactIndex => openCompactIndex(unpackCatalog(buffer));

function refusal(buffer: ArrayBuffer): string {
  try {
    unpackCatalog(buffer);
  } catch (error) {
    if (error instanceof AccessionError) return error.failure.code;
    throw error;
  }
  return 'taken';
}

describe('REPLICA-3: the file of the index', () => {
  it('gives back every row and its note', () => {
    const index = openPacked(packed());
    expect(index.compact.note).toEqual(note);
    for (const row of catalog.artists) expect(index.artist(row.id)).toEqual(row);
    for (const row of catalog.tracks) {
      expect(index.track(row.id)).toEqual({ ...row, availability: 'available', original_sha256: 'ab' });
      expect(index.albumOfTrack(row.id)).toBe(row.album_id);
    }
    for (const row of catalog.albums) {
      expect(index.album(row.id)).toMatchObject({ title: row.title, external_ids: { mbid: row.id } });
      expect(index.album(row.id)?.tracks.map((track) => track.id)).toEqual(
        catalog.tracks.filter((track) => track.album_id === row.id).map((track) => track.id),
      );
    }
    expect([index.track('nobody'), index.album(''), index.artist('x')]).toEqual([null, null, null]);
  });

  it('finds the same whatever the order of the rows was', () => {
    const [one, other] = [openPacked(packed()), openPacked(packed(true))];
    for (const text of ['harbor rode', 'Nervous', 'Valvehead', 'The Finish']) {
      const key = textKey(text);
      for (const search of ['albumsByText', 'tracksByText', 'albumsByArtist', 'artistsByText'] as const)
        expect(new Map(other[search](key, 50).map((hit) => [hit.id, hit.score]))).toEqual(
          new Map(one[search](key, 50).map((hit) => [hit.id, hit.score])),
        );
    }
  });

  it('is refused when it is cut, foreign, damaged or of another version', () => {
    const whole = packed();
    expect(refusal(whole)).toBe('taken');
    for (const length of [0, 5, 12, 400, Math.floor(whole.byteLength / 2), whole.byteLength - 64])
      expect(refusal(whole.slice(0, length))).toBe('storage_failed');
    expect(refusal(new TextEncoder().encode('something else entirely, and long enough').buffer)).toBe('storage_failed');
    const at = new TextDecoder('latin1').decode(whole).indexOf('"version":3') + '"version":'.length;
    const changed = (offset: number, byte: number): ArrayBuffer => {
      const copy = whole.slice(0);
      new Uint8Array(copy)[offset] = byte;
      return copy;
    };
    expect(refusal(changed(at, '1'.charCodeAt(0)))).toBe('storage_failed');
    expect(refusal(changed(whole.byteLength >> 1, 255))).toBe('storage_failed');
    expect(refusal(changed(at - 3, '}'.charCodeAt(0)))).toBe('storage_failed');
  });
});
