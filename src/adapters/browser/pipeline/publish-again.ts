import { forgetSaidLost, lostResults } from '../lost-results.ts';
import { applyEvent, jobTables, type PipelineContext } from './apply.ts';

/** SYNC-28: converts and publishes again what can be. Answers how many; the others stay named until they are let go. */
export async function publishAgain(context: PipelineContext): Promise<number> {
  const { db } = context;
  return db.transaction('rw', [...jobTables(db), db.tracks], async () => {
    const again: string[] = [];
    for (const id of (await lostResults(db))?.here ?? []) {
      if (await applyEvent(context, id, { type: 'lost' })) again.push(id);
    }
    await forgetSaidLost(db, again);
    return again.length;
  });
}
