/** What one upload is begun with. */
import * as v from 'valibot';
import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { describeBytes } from '#core/ingest/file-kinds.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import type { ServerClient } from '../../http/server-client.ts';
import { workSettings } from '../../work/settings.ts';
import type { AccessionDb } from '../db.ts';

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
export async function settingsOf(client: Pick<ServerClient, 'config'>): Promise<Settings> {
  const answer = await client.config();
  if (!answer.ok) throw new AccessionError(answer.failure);
  return workSettings(v.parse(ServerDefaultsSchema, answer.value));
}

/** Tracks that this workstation's own files are about to get are taken, too: the server may not know of them yet. */
export async function withOwnTracks(db: AccessionDb, claim: Claim): Promise<Claim> {
  const jobs = await db.jobs.where('status').equals('CONVERTING').toArray();
  const own = jobs.flatMap(({ id, matched_track_id }) =>
    matched_track_id === null ? [] : [{ track_id: matched_track_id, job_id: id }],
  );
  return { ...claim, held: [...claim.held, ...own] };
}
