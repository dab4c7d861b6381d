/** One upload under this browser's lease: the parts that it is worked on with, and what pages show of it meanwhile. */
import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { parseAgentState } from '#core/run/agent-state.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { publishPorts, createUploader } from '../../http/upload.ts';
import type { WorkClient } from '../../http/work-client.ts';
import { wait } from '../../llm/executor-ports.ts';
import type { WorkProgress } from '../../work/progress.ts';
import { workOn, type WorkUsing } from '../../work/work-on.ts';
import { AGENT_ROW } from '../meta.ts';
import { metaState } from '../meta-state.ts';
import { type UploadsDeps, noteProgress, patchUploadsState } from './state.ts';
import { holdBlob, holding } from './held-blobs.ts';
import * as v from 'valibot';
import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import { describeBytes } from '#core/ingest/file-kinds.ts';
import type { ServerClient } from '../../http/server-client.ts';
import { workSettings } from '../../work/ask-defaults.ts';
import type { AccessionDb } from '../db.ts';

/** What one upload is begun with. */

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
async function settingsOf(client: Pick<ServerClient, 'config'>): Promise<Settings> {
  const answer = await client.config();
  if (!answer.ok) throw new AccessionError(answer.failure);
  return workSettings(v.parse(ServerDefaultsSchema, answer.value));
}

/** Tracks that this workstation's own files are about to get are taken, too: the server may not know of them yet. */
async function withOwnTracks(db: AccessionDb, claim: Claim): Promise<Claim> {
  const jobs = await db.jobs.where('status').equals('CONVERTING').toArray();
  const own = jobs.flatMap(({ id, matched_track_id }) =>
    matched_track_id === null ? [] : [{ track_id: matched_track_id, job_id: id }],
  );
  return { ...claim, held: [...claim.held, ...own] };
}

/** Each report wakes the pages. Milliseconds. */
const REPORT_MS = 500;

export interface UploadParts {
  work: WorkClient;
  /** Waits for what goes first; true: for so long that others may have the upload. */
  firstOf(stop: AbortSignal): Promise<boolean>;
}

/**
 * Works on it until nothing moves without a person; stopped, it gives the upload back. Throws AccessionError as `workOn`
 * does, and `storage_full` where there is no room for it, having given it back untouched.
 */
export async function workOnUpload(
  claim: Claim,
  deps: UploadsDeps,
  parts: UploadParts,
  stop: AbortSignal,
): Promise<void> {
  const [own, using] = await prepare(claim, deps, parts, stop);
  await workOn(own, using, stop);
}

/** Everything that may fail before the first step; the upload is given back then. */
async function prepare(
  claim: Claim,
  deps: UploadsDeps,
  { work, firstOf }: UploadParts,
  stop: AbortSignal,
): Promise<[Claim, WorkUsing]> {
  const { db, http, client, clock, ids, timers, random, free, agent, report, lanes, cores } = deps;
  try {
    const { label, user_id, user_name } = claim.batch;
    const now = { lease_id: claim.lease_id, label, user: user_name ?? user_id, since: clock.now(), progress: null };
    await patchUploadsState(db, { current: now });
    const room = roomFor(claim, await free());
    if (room !== null) throw new AccessionError(room);
    const blobs = holding(db, deps.blobs);
    const settings = await settingsOf(client);
    const using: WorkUsing = {
      ...{ work, blobs, settings, agent, clock, ids, random, report },
      publish: publishPorts(client, createUploader({ ...http, blobs })),
      agentState: metaState(db, AGENT_ROW, parseAgentState),
      cores,
      runs: (place) =>
        lanes.runsAt({
          ...{ ...place, blobs },
          settings: () => Promise.resolve(settings),
          stored: (sha256) => holdBlob(db, sha256),
        }),
      async refresh() {
        for (const replica of lanes.replicas) {
          const pulled = await replica.pull(stop);
          if (!pulled.ok) throw new AccessionError(pulled.failure);
        }
      },
      wait: (ms, until) => wait(timers, ms, until),
      say: () => undefined,
      progress: reporter(deps, claim.lease_id),
      yields: () => firstOf(stop),
    };
    return [await withOwnTracks(db, claim), using];
  } catch (error) {
    await work.giveBack(claim.lease_id);
    throw error;
  }
}

/** Writes what is done now where pages see it: at once when it is another thing, and twice a second otherwise. */
function reporter({ db, clock, onError }: UploadsDeps, leaseId: string): (progress: WorkProgress) => void {
  let last: { doing: string; at: number } | null = null;
  return (progress) => {
    const now = clock.now();
    if (last?.doing === progress.doing && Math.abs(now - last.at) < REPORT_MS) return;
    last = { doing: progress.doing, at: now };
    void noteProgress(db, leaseId, progress).catch(onError);
  };
}
