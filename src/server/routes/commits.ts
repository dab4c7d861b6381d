import { Hono } from 'hono';
import { CommitRequestSchema } from '#core/sync/protocol.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readBody } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { keyed, send } from '../http/mutate.ts';
import { commit } from '../ingest/commit.ts';
import { latestUpdate } from '../ingest/updates.ts';
import type { KeyedLock } from '../keyed-lock.ts';

/** POST /v1/ingestion/commits */
export function commitRoutes(
  deps: Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log' | 'events'>,
  lock: KeyedLock,
): Hono<Env> {
  const app = new Hono<Env>();
  app.post('/commits', async (c) => {
    const { text, value } = await readBody(c, CommitRequestSchema);
    const request = keyed(c, text);
    if (request.key === null) throw new HttpError('invalid', 'A commit needs the header Idempotency-Key.');
    const { answer, replayed } = await commit({ ...deps, lock }, request, value);
    if (!replayed) {
      deps.events.emit({ type: 'CatalogChanged' });
      for (const update of await latestUpdate(deps.store.db, [value.job_id])) deps.events.emit(update);
    }
    return send(c, answer, replayed);
  });
  return app;
}
