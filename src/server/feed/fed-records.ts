/** All records of one kind, of whichever lane, as its change feed has them: how one lane reads what another knows. */
import type { LaneServer } from '../lane-server.ts';
import { chunks } from '../store/rows.ts';
import type { Reader } from '../store/schema.ts';

/** None where no lane has the kind. What a record says is for the reader to parse. */
export async function fedRecords(db: Reader, lanes: readonly LaneServer[], kind: string): Promise<object[]> {
  for (const { feeds, keeping } of lanes) {
    const feed = feeds.find(({ kinds }) => kinds.includes(kind));
    const table = keeping?.fed[kind];
    if (feed === undefined || table === undefined) continue;
    // Any table of a feed, to the compiler one of them.
    const rows = await db
      .selectFrom(table as 'users')
      .select('id')
      .orderBy('id')
      .execute();
    const records: object[] = [];
    for (const part of chunks(rows.map(({ id }) => id)))
      for (const record of (await feed.read(db, kind, part)).values()) records.push(record);
    return records;
  }
  return [];
}
