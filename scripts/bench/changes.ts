import type { CatalogFile, Change, ChangesPage } from '#lanes/music/core/catalog.ts';
import type { Random } from '../eval/random.ts';

/** Changes as an evening brings them: mostly tracks that became available, some corrected, some new, some gone. */
export function changePages(random: Random, catalog: CatalogFile, count: number, pageSize: number): ChangesPage[] {
  const items = Array.from({ length: count }, (_, n): Change => {
    const row = { duration_ms: null, ...random.pick(catalog.tracks) };
    const kind = 'track';
    if (random.chance(0.05)) return { kind, id: row.id, op: 'delete', record: null };
    const put = (record: object, id = row.id): Change => ({ kind, id, op: 'put', record: { ...row, ...record, id } });
    if (random.chance(0.15)) return put({ title: `${row.title} (Live)`, availability: 'missing' });
    if (random.chance(0.15)) return put({ position: 40 + (n % 50), availability: 'available' }, `new_${n}`);
    return put({ availability: 'available' });
  });
  const pages: ChangesPage[] = [];
  for (let at = 0; at < items.length; at += pageSize) {
    const more = at + pageSize < items.length;
    pages.push({ items: items.slice(at, at + pageSize), next_cursor: `c${at + pageSize}`, more, catalog_id: 'bench' });
  }
  return pages;
}
