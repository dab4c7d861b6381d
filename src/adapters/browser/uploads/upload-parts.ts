/** What one upload is begun with. */
import * as v from 'valibot';
import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { describeBytes } from '#core/ingest/describe.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import type { CatalogClient } from '../../http/catalog-client.ts';
import { DoubtAsker } from '../../work/agent.ts';
import { workSettings } from '../../work/settings.ts';
import type { AccessionDb } from '../db.ts';
import type { UploadsDeps } from '../uploads.ts';

/** An upload takes so many times its size: archives unpacked, results beside their originals. */
const ROOM = 2;

/** A failure where the browser says that there is too little space for it. `free`: bytes, null where it does not say. */
export function roomFor(
  { files, batch }: { files: readonly { size: number }[]; batch: { label: string } },
  free: number | null,
): Failure | null {
  const wanted = ROOM * files.reduce((sum, file) => sum + file.size, 0);
  if (free === null || wanted <= free) return null;
  const words = `There is too little space in this browser for "${batch.label}": ${describeBytes(wanted)} are wanted.`;
  return failure('storage_full', words);
}

/** The server's own. Throws AccessionError where it cannot be asked. */
export async function settingsOf(client: Pick<CatalogClient, 'config'>): Promise<Settings> {
  const answer = await client.config();
  if (!answer.ok) throw new AccessionError(answer.failure);
  return workSettings(v.parse(ServerDefaultsSchema, answer.value));
}

/** The person's own model; null where none is set, or its code is not here: then every doubt is a question. */
export async function askerOf({ agent, clock, ids, random }: UploadsDeps): Promise<DoubtAsker | null> {
  const model = await agent.model({ demo: false });
  const engine = model === null ? null : await agent.engine().catch(() => null);
  return model === null || engine === null ? null : new DoubtAsker({ engine, model, clock, ids, random });
}

/** Tracks that this workstation's own files are about to get are taken, too: the server may not know of them yet. */
export async function withOwnTracks(db: AccessionDb, claim: Claim): Promise<Claim> {
  const jobs = await db.jobs.where('status').equals('CONVERTING').toArray();
  const own = jobs.flatMap(({ id, matched_track_id }) =>
    matched_track_id === null ? [] : [{ track_id: matched_track_id, job_id: id }],
  );
  return { ...claim, held: [...claim.held, ...own] };
}
