/** The tables of music in IndexedDB. */
import type { EntityTable, Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { CalibrationSample } from '#lanes/music/core/calibration/local-profile.ts';
import type { Album, Artist, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import type { Remembered } from '#lanes/music/core/learning/rows.ts';

/** What one page of the change feed put and deleted after the catalog's index was built: one row, read as one. */
export interface ChangedRow {
  /** `page:<version>:<count>`, so that pages are counted without being read. */
  key: string;
  /** Of the replica, after the page. */
  version: number;
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
  gone: Record<'artist' | 'album' | 'track', string[]>;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    artists: EntityTable<Artist, 'id'>;
    albums: EntityTable<Album, 'id'>;
    tracks: EntityTable<Track, 'id'>;
    requests: EntityTable<DownloadRequest, 'id'>;
    changed: Table<ChangedRow, string>;
    memory: EntityTable<Remembered, 'sha256'>;
    samples: EntityTable<CalibrationSample, 'id'>;
  }
}

export const tables: readonly TableVersion[] = [
  {
    since: 1,
    stores: {
      artists: 'id, name',
      albums: 'id, artist_id, title',
      tracks: 'id, album_id, availability, original_sha256',
      requests: 'id, status',
    },
  },
  // What changed in the catalog since its index was built.
  { since: 2, stores: { changed: 'key, version' } },
  // What people decided about contents, and what their answers say of the matcher.
  { since: 3, stores: { memory: 'sha256, at', samples: 'id, at, [kind+at]' } },
];
