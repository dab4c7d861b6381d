import type { Album, CatalogFile, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import type { MusicCatalog } from '#lanes/music/core/run/ports.ts';

export type ShortCatalog = {
  album: string;
  artist: string;
  year?: number;
  tracks: [title: string, seconds: number][];
}[];
export type Records = ReturnType<typeof recordsOf>;

/** What a catalog has: rows that a test may change. */
export function recordsOf(catalog: ShortCatalog | CatalogFile) {
  const whole = Array.isArray(catalog) ? null : catalog;
  const short = Array.isArray(catalog) ? catalog : [];
  const albums: Album[] = (whole?.albums ?? []).map((album) => ({
    ...album,
    year: album.year ?? null,
    is_compilation: album.is_compilation ?? false,
    discs: album.discs ?? 1,
    track_count: album.track_count ?? whole?.tracks.filter((track) => track.album_id === album.id).length ?? 0,
  }));
  const tracks: Track[] = (whole?.tracks ?? []).map((track) => ({
    ...track,
    duration_ms: track.duration_ms ?? null,
    availability: 'missing',
  }));
  const named = [...new Set(short.map((one) => one.artist))].map((name, at) => ({ id: `ar${at}`, name }));
  const artists = whole ? whole.artists : named;
  short.forEach((one, at) => {
    const artist_id = artists.find((artist) => artist.name === one.artist)?.id ?? '';
    const shared = { artist_id, artist: one.artist };
    albums.push({
      ...{ id: `al${at}`, title: one.album, ...shared, year: one.year ?? null },
      ...{ is_compilation: false, discs: 1, track_count: one.tracks.length },
    });
    one.tracks.forEach(([title, seconds], n) => {
      tracks.push({
        ...{ id: `tr${at}-${n + 1}`, album_id: `al${at}`, title, ...shared, disc: 1, position: n + 1 },
        ...{ duration_ms: seconds * 1000, availability: 'missing' },
      });
    });
  });
  const records = {
    /** Which catalog it is; null: it has no name. */
    catalogId: null as string | null,
    artists: new Map(artists.map((artist) => [artist.id, artist])),
    albums: new Map(albums.map((album) => [album.id, album])),
    tracks: new Map(tracks.map((track) => [track.id, track])),
    requests: new Map<string, DownloadRequest>(),
    now: () => ({
      artists: [...records.artists.values()],
      albums: [...records.albums.values()],
      tracks: [...records.tracks.values()],
    }),
    patchTrack(id: string, patch: Partial<Track>): void {
      const track = records.tracks.get(id);
      if (track) records.tracks.set(id, { ...track, ...patch });
    },
  };
  return records;
}

/** The catalog as a run asks for it. */
export function catalogOf(
  records: Records,
  ask: { index(): Promise<CatalogIndex | null>; want(): void },
): MusicCatalog {
  const made = (track: Track): string => (track.availability === 'available' ? (track.original_sha256 ?? '') : '');
  return {
    index: () => ask.index(),
    want: () => ask.want(),
    id: async () => records.catalogId,
    tracks: async (wanted) => wanted.flatMap((id) => records.tracks.get(id) ?? []),
    albums: async (wanted) => wanted.flatMap((id) => records.albums.get(id) ?? []),
    madeFrom: async (contents) =>
      new Map([...records.tracks.values()].flatMap((one) => (contents.includes(made(one)) ? [[made(one), one]] : []))),
    request: async (id) => records.requests.get(id),
    held: () => new Map(),
  };
}
