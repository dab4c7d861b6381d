/** The person's word about an opened folder's recognition plan, and what it writes down. */
import type { Folder } from '#adapters/browser/plans/open-folder.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { KeptPlan, PlanStore } from '#core/plan/plan.ts';
import type { Ids } from '#core/ports.ts';
import type { RecognisedFile } from '#lanes/video/core/folder-reading.ts';
import type { Confirmed, Finding } from '#lanes/video/core/records/change-records.ts';
import { findingsOf, spelledAs } from '#lanes/video/core/records/find-records.ts';
import type { VideoRecord } from '#lanes/video/core/records/video-record.ts';
import { isRecognition } from '#lanes/video/core/recognize-protocol.ts';
import { lengthsOf } from '#lanes/video/media/lengths.ts';
import { lookIntoFolder } from '#lanes/video/media/look-into.ts';
import type { Read } from './read-opened.ts';
import { confirmPlan, rootOf } from './records.ts';

export interface Confirming {
  db: AccessionDb;
  store: PlanStore;
  ids: Ids;
  folder: Folder;
  read: Read;
  /** The files as the person left them. */
  rows: readonly RecognisedFile[];
  planId: string;
  by: string;
  /** Milliseconds. */
  now: number;
}

/** PLAN-90: the plan is completed with its records, in one transaction. Files are looked into before. */
export async function confirmRecognition(confirming: Confirming): Promise<Confirmed> {
  const { db, store, ids, folder, read, rows, planId, by, now } = confirming;
  const { mediaFolderPath, entries } = folder;
  const paths = rows.flatMap((row) => (row.class === 'episode' ? [`${mediaFolderPath}/${row.path}`] : []));
  const around = {
    show: spelledAs(read.reading.show, folder.name),
    catalog: read.show,
    recognised: new Map(rows.map((row) => [`${mediaFolderPath}/${row.path}`, row])),
    files: new Map(entries.map((entry) => [`${mediaFolderPath}/${entry.path}`, entry])),
    seconds: await lengthsOf(lookIntoFolder(folder), mediaFolderPath, paths),
  };
  const findings = ({ plan, state }: KeptPlan): Finding[] =>
    isRecognition(plan) ? findingsOf(plan, state, around) : [];
  return confirmPlan(db, store, ids, { root: rootOf(folder), planId, by, now, findings });
}

/** Whether all that is offered is recorded so already: then there is nothing to confirm. */
export function isRecorded(
  rows: readonly RecognisedFile[],
  leftOut: ReadonlyMap<string, string>,
  records: ReadonlyMap<string, VideoRecord>,
): boolean {
  const offered = rows.filter(
    ({ class: kind, path, season }) => kind === 'episode' && season !== null && !leftOut.has(path),
  );
  return (
    offered.length === records.size &&
    offered.every(({ path, season, episodes }) => {
      const record = records.get(path);
      return record?.season === season && record.episodes.join() === episodes.join();
    })
  );
}
