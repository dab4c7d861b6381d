import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AlbumSchema, ArtistSchema, TrackSchema } from '#lanes/music/core/catalog.ts';
import { album, compilation, demoCatalog, demoRequests } from '#lanes/music/server/demo/catalog.ts';

const { artists, albums, tracks } = demoCatalog;
const tracksOf = (album_id: string) => tracks.filter((track) => track.album_id === album_id);
const minutesOf = (album_id: string) =>
  tracksOf(album_id).reduce((sum, track) => sum + (track.duration_ms ?? 0), 0) / 60_000;

describe('demo catalog', () => {
  it('DEMO-1 has at least 42 albums and more than 460 tracks', () => {
    expect(albums.length).toBeGreaterThanOrEqual(42);
    expect(tracks.length).toBeGreaterThan(460);
  });

  it('DEMO-2 passes the schemas of the import, row by row', () => {
    for (const row of artists) expect(v.parse(ArtistSchema, row)).toEqual(row);
    for (const row of albums) expect(v.parse(AlbumSchema, row)).toEqual(row);
    for (const row of tracks) expect(v.parse(TrackSchema, row)).toEqual(row);
  });

  it('DEMO-3 has unique ids, unique places on an album, and no reference into nothing', () => {
    for (const rows of [artists, albums, tracks]) expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    const places = tracks.map((track) => `${track.album_id} ${track.disc}-${track.position}`);
    expect(new Set(places).size).toBe(tracks.length);
    const artistNames = new Map(artists.map((artist) => [artist.id, artist.name]));
    for (const row of [...albums, ...tracks]) expect(artistNames.get(row.artist_id)).toBe(row.artist);
    for (const row of albums) expect(tracksOf(row.id)).toHaveLength(row.track_count ?? 0);
  });

  it('DEMO-4 counts positions from 1 without gaps on every disc', () => {
    for (const row of albums) {
      for (let disc = 1; disc <= (row.discs ?? 1); disc += 1) {
        const positions = tracksOf(row.id)
          .filter((track) => track.disc === disc)
          .map((track) => track.position);
        expect(positions).toEqual(positions.map((_, index) => index + 1));
        expect(positions).not.toHaveLength(0);
      }
    }
  });

  it('DEMO-5 has lengths between 0:10 and 30:00', () => {
    for (const track of tracks) {
      expect(track.duration_ms, track.title).toBeGreaterThanOrEqual(10_000);
      expect(track.duration_ms, track.title).toBeLessThanOrEqual(1_800_000);
    }
  });

  it('DEMO-6 has the albums that the use cases name, under readable ids', () => {
    const counts = Object.fromEntries(
      ['al_ok-computer', 'al_abbey-road', 'al_thriller', 'al_bad', 'al_dangerous'].map((id) => [
        id,
        tracksOf(id).length,
      ]),
    );
    expect(counts).toEqual({ 'al_ok-computer': 12, 'al_abbey-road': 17, al_thriller: 9, al_bad: 10, al_dangerous: 14 });
    const last = tracks.find((track) => track.id === 'tr_abbey-road_1-17');
    expect(last).toMatchObject({ title: 'Her Majesty', artist_id: 'ar_the-beatles', duration_ms: 23_000 });
  });

  it('DEMO-7 has a double album, a compilation by several artists, and at least six scripts besides Latin', () => {
    expect(albums.some((row) => row.discs === 2)).toBe(true);
    const various = albums.find((row) => row.is_compilation);
    expect(various?.artist).toBe('Various Artists');
    expect(new Set(tracksOf(various?.id ?? '').map((track) => track.artist)).size).toBeGreaterThan(10);
    for (const script of [
      /\p{sc=Hira}/u,
      /\p{sc=Han}/u,
      /\p{sc=Hang}/u,
      /\p{sc=Cyrl}/u,
      /\p{sc=Grek}/u,
      /\p{sc=Hebr}/u,
    ]) {
      expect(
        albums.some((row) => script.test(row.title)),
        String(script),
      ).toBe(true);
    }
  });

  it('DEMO-8 asks for two albums: OK Computer, and an EP of under 16 minutes', () => {
    expect(demoRequests).toHaveLength(2);
    expect(demoRequests[0]?.album_id).toBe('al_ok-computer');
    const short = demoRequests[1]?.album_id ?? '';
    expect([3, 4]).toContain(tracksOf(short).length);
    expect(minutesOf(short)).toBeLessThan(16);
  });
});

describe('how a demo album is written', () => {
  it('reads titles that end in digits, hold colons or slashes, and several discs', () => {
    const written = album('A', 'B', 2000, 'Whalien 52 3:59 | Ezekiel 25:17 0:51', 'Weird Fishes/Arpeggi 5:18');
    expect(written.discs.map((disc) => disc.map((track) => [track.title, track.duration_ms]))).toEqual([
      [
        ['Whalien 52', 239_000],
        ['Ezekiel 25:17', 51_000],
      ],
      [['Weird Fishes/Arpeggi', 318_000]],
    ]);
  });

  it('names the line that is not "title m:ss", and the compilation track without artist', () => {
    expect(() => album('A', 'B', 2000, 'No length')).toThrow('"No length"');
    expect(() => compilation('A', 2000, 'No artist 1:00')).toThrow('"No artist"');
  });
});
