/** One upload under this browser's lease: the parts that it is worked on with, and what pages show of it meanwhile. */
import { AccessionError } from '#core/errors.ts';
import { parseAgentState } from '#core/run/agent-state.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { publishPorts, createUploader } from '../../http/upload.ts';
import type { WorkClient } from '../../http/work-client.ts';
import { wait } from '../../llm/executor-ports.ts';
import type { WorkProgress } from '../../work/progress.ts';
import { workOn, type WorkUsing } from '../../work/work-on.ts';
import { AGENT_ROW } from '../meta.ts';
import { metaState } from '../meta-state.ts';
import type { UploadsDeps } from './uploads-deps.ts';
import { HeldBlobs, holdBlob } from './held-blobs.ts';
import { noteProgress, patchUploadsState } from './state.ts';
import { roomFor, settingsOf, withOwnTracks } from './upload-parts.ts';

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
    const blobs = new HeldBlobs(db, deps.blobs);
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
