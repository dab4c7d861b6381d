/** Rows of imports that are nobody's: of guides that were replaced or removed, and of imports that were left. */
import type { Store } from '#server/store/store.ts';

/** Rows that are taken away in one transaction, so that others are not kept waiting. */
const PART = 50;

/** Takes them away, a part at a time. */
export async function sweep({ db, write }: Pick<Store, 'db' | 'write'>): Promise<void> {
  const rows = [
    ...(await db.selectFrom('guide_channels').select('import').distinct().execute()),
    ...(await db.selectFrom('guide_days').select('import').distinct().execute()),
  ];
  const named = new Set<string>();
  for (const one of await db.selectFrom('guides').select('import').execute()) named.add(one.import);
  for (const one of await db.selectFrom('guide_stages').select('import').execute()) named.add(one.import);
  // Named after they were listed, they cannot become: an import's id is used once, and named before its first row.
  for (const of of new Set(rows.map((row) => row.import))) if (!named.has(of)) await drop(write, of);
}

async function drop(write: Store['write'], of: string): Promise<void> {
  for (const faults of [0, 1])
    for (let left = true; left;)
      left = await write(async (tx) => {
        const rows = tx.selectFrom('guide_days').select('n').where('import', '=', of).where('faults', '=', faults);
        const part = (await rows.orderBy('n').limit(PART).execute()).map(({ n }) => n);
        if (part.length === 0) return false;
        const own = tx.deleteFrom('guide_days').where('import', '=', of).where('faults', '=', faults);
        await own.where('n', 'in', part).execute();
        return true;
      });
  await write((tx) => tx.deleteFrom('guide_channels').where('import', '=', of).execute());
}
