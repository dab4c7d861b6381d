import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { CatalogFile, Change, ChangesPage, SnapshotAnswer } from '#lanes/music/core/catalog.ts';
import { packCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { CATALOG_FORMAT } from '#lanes/music/core/index/compact-catalog.ts';
import { compactOf } from './pack.ts';
import type { Answers } from './site.ts';

const CATALOG_ID = 'bench';

/** A catalog server's routes for a first load: the snapshot, and the change feed in pages as long as the client likes. */
export function catalogAnswers(catalog: CatalogFile): Answers {
  const changes = changesOf(catalog);
  const cursor = `${CATALOG_ID}.${changes.length}`;
  const { catalog: compact, strings } = compactOf(catalog, { catalog_id: CATALOG_ID, cursor, requests: [] });
  const bytes = Buffer.concat(packCatalog(compact, strings));
  const packed = gzipSync(bytes);
  const snapshot: SnapshotAnswer['snapshot'] = {
    ...{ name: 'bench', format: CATALOG_FORMAT, catalog_id: CATALOG_ID, cursor, tracks: catalog.tracks.length },
    ...{ bytes: bytes.length, packed_bytes: packed.length },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  return {
    '/v1/catalog/snapshot': () => JSON.stringify({ snapshot, ahead: null } satisfies SnapshotAnswer),
    '/v1/catalog/snapshot/bench': () => packed,
    '/v1/catalog/changes': (query) => {
      const from = Number(query.get('cursor')?.split('.')[1] ?? 0);
      const items = changes.slice(from, from + Number(query.get('limit')));
      const next = from + items.length;
      const rest = { next_cursor: `${CATALOG_ID}.${next}`, more: next < changes.length, catalog_id: CATALOG_ID };
      return JSON.stringify({ items, ...rest } satisfies ChangesPage);
    },
  };
}

function changesOf({ artists, albums, tracks }: CatalogFile): Change[] {
  const put = (kind: Change['kind']) => (record: { id: string }) => ({
    kind,
    id: record.id,
    op: 'put' as const,
    record,
  });
  return [
    ...artists.map(put('artist')),
    ...albums.map(put('album')),
    ...tracks.map((row) => put('track')({ ...row, ...{ availability: 'missing' } })),
  ];
}
