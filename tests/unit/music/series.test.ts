import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { catalogOf, type AlbumPlan } from './small-catalog.ts';

/** Volumes of one series: ten albums whose tracks are called alike, of the same lengths, and nothing else. */
const THINGS = ['Slack', 'Customs', 'Bells', 'Rope', 'Manifest', 'Tallow', 'Ballast', 'Season', 'Lamp', 'Soundings'];
const STONES = ['Brass', 'Chalk', 'Copper', 'Flint', 'Granite', 'Linen', 'Marble', 'Oak', 'Pewter', 'Slate'];
const volumes = STONES.map((stone, n): AlbumPlan => ({
  title: `Ledger ${n + 1}`,
  artist: 'The Harbour Clerks',
  tracks: THINGS.map((thing) => [`${thing} of ${stone} ${n + 1}`, 2] as const),
}));
const catalog = catalogOf(volumes);
const index = buildCatalogIndex(catalog);

/** All files of all volumes in one flat drop; `id` is the track's own. */
const files = catalog.tracks.map((track): FileEvidence => {
  const album = catalog.albums.find(({ id }) => id === track.album_id)?.title ?? '';
  const place = String(track.position).padStart(2, '0');
  return {
    file_id: track.id,
    path: `${track.artist} - ${album} - ${place} - ${track.title}.wav`,
    duration_ms: 2000,
    tags: { title: track.title, artist: track.artist, album, track: track.position },
  };
});
const wrong = (batch: readonly FileEvidence[]) =>
  matchBatch({ files: [...batch], context: { type: 'spontaneous' } }, index).files.filter(
    ({ file_id, track_id, confidence }) => confidence > 0.9 && track_id !== file_id,
  );

describe('volumes of a series', () => {
  it('MATCH-43: of two files for one track the one with its very title gets it, in a small catalog too', () => {
    expect(wrong(files)).toEqual([]);
  });

  it('MATCH-43, MATCH-49: a gap in one volume is not filled from another that the file names', () => {
    const gaps = files.filter(({ path }) => !/Ledger 10 - (05|10) |Ledger 4 - 07 |Ledger 7 - 0[1-3] /.test(path));
    expect(gaps).toHaveLength(94);
    expect(wrong(gaps)).toEqual([]);
    expect(matchBatch({ files: gaps, context: { type: 'spontaneous' } }, index).groups).toHaveLength(10);
  });

  it('MATCH-44: what its tag gives to a volume that the catalog lacks is no other volume, whatever number and length say', () => {
    const known = new Set(catalog.albums.filter(({ title }) => title !== 'Ledger 4').map(({ id }) => id));
    const without = buildCatalogIndex({
      ...catalog,
      albums: catalog.albums.filter(({ id }) => known.has(id)),
      tracks: catalog.tracks.filter(({ album_id }) => known.has(album_id)),
    });
    const volume = files.filter(({ tags }) => tags.album === 'Ledger 4');
    const { files: found } = matchBatch({ files: volume, context: { type: 'spontaneous' } }, without);
    expect(found).toHaveLength(10);
    expect(found.filter(({ confidence, track_id }) => track_id !== null && confidence > 0.9)).toEqual([]);
  });
});

/** More albums than are compared with all files of one drop: titles of one pattern, one artist, one length. */
const PLACES = ['Anchor', 'Bridge', 'Cellar', 'Dormer', 'Engine', 'Ferry', 'Garden', 'Harbour', 'Island', 'Junction'];
const many = catalogOf(
  PLACES.flatMap((place) =>
    STONES.map((stone): AlbumPlan => ({
      title: `${stone} ${place}`,
      artist: 'The Harbour Clerks',
      tracks: THINGS.slice(0, 5).map((thing) => [`${thing} of ${stone} ${place}`, 2] as const),
    })),
  ),
);
const manyIndex = buildCatalogIndex(many);
const pile = (tagged: boolean): FileEvidence[] =>
  many.tracks.map((track) => {
    const album = many.albums.find(({ id }) => id === track.album_id)?.title ?? '';
    const { title, artist, position } = track;
    return {
      file_id: track.id,
      path: `${artist} - ${album} - ${String(position).padStart(2, '0')} - ${title}.wav`,
      duration_ms: 2000,
      tags: tagged ? { title, artist, album, track: position } : {},
    };
  });
describe('a hundred albums in one pile', () => {
  it('MATCH-45: nothing is approved as a track whose title is not the very one that another album has', () => {
    const sixty = new Set(many.albums.slice(0, 60).map(({ title }) => title));
    const files = pile(false).filter(({ path }) => / - 0[12] - /.test(path) && sixty.has(path.split(' - ')[1] ?? ''));
    expect(files).toHaveLength(120);
    const found = matchBatch({ files, context: { type: 'spontaneous' } }, manyIndex).files;
    const sure = found.filter(({ confidence }) => confidence > 0.9);
    expect(sure.filter(({ file_id, track_id }) => track_id !== file_id)).toEqual([]);
  });

  it('MATCH-46: with tags it is looked at album by album, and all of it is found', () => {
    const files = pile(true).slice(0, 100);
    const { files: found, groups } = matchBatch({ files, context: { type: 'spontaneous' } }, manyIndex);
    expect(groups).toHaveLength(20);
    expect(found.filter(({ file_id, track_id, confidence }) => track_id !== file_id || confidence <= 0.9)).toEqual([]);
  });
});
