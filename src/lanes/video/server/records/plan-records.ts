/** What a recognition plan that was confirmed on the server is written down as. */
import * as v from 'valibot';
import { randomUuids } from '#core/ids.ts';
import { lastPart, locate } from '#core/plan/plan-path.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { Journal } from '#core/plan/rename-journal.ts';
import {
  confirmed,
  moved,
  withoutPlan,
  type Confirmed,
  type Finding,
} from '#lanes/video/core/records/change-records.ts';
import { AboutShowSchema, findingsOf, spelledAs } from '#lanes/video/core/records/find-records.ts';
import { toFollow, type EndedRename } from '#lanes/video/core/records/follow-renames.ts';
import { isRecognition } from '#lanes/video/core/recognize-protocol.ts';
import { lengthsOf } from '#lanes/video/media/lengths.ts';
import { lookIntoSeen } from '#lanes/video/media/look-into.ts';
import type { PlanRecords, RecordWorld } from '#server/plans/server-plans.ts';
import type { Tx } from '#server/store/schema.ts';
import { readSeen } from '../read-seen.ts';
import { readShow } from '../shows/read-shows.ts';
import { videosAbout, videosOfPlan, writeVideos } from './record-rows.ts';

export function planRecords({ store, clock, events, folders, journal }: RecordWorld): PlanRecords {
  /** What the plan says of its files, by their real paths. */
  async function look({ plan, state }: KeptPlan): Promise<{ folder: string; findings: Finding[] }> {
    if (!isRecognition(plan)) return { folder: plan.mediaFolderPath, findings: [] };
    const { mediaFolderPath } = plan;
    const about = v.safeParse(AboutShowSchema, state.about);
    const chosen = about.success ? about.output.show : null;
    const world = { db: store.db, folders };
    const answers = chosen?.id ? { show: chosen.id } : {};
    const { root, entries, reading } = await readSeen(world, mediaFolderPath, answers);
    const show = spelledAs(chosen ?? reading.show, lastPart(mediaFolderPath));
    const absolute = (path: string): string => `${mediaFolderPath}/${path}`;
    const paths = plan.files.map(({ path }) => path);
    const findings = findingsOf(plan, state, {
      show,
      catalog: show.id === null ? null : await readShow(store.db, show.id),
      recognised: new Map(reading.files.map((file) => [absolute(file.path), file])),
      files: new Map(entries.map((entry) => [absolute(entry.path), entry])),
      seconds: await lengthsOf(lookIntoSeen(folders), mediaFolderPath, paths),
    });
    return {
      folder: root,
      findings: findings.map((one) => ({ ...one, path: really(one.path, mediaFolderPath, root) })),
    };
  }

  /** PLAN-95: records take the names that these renames gave their files, or gave back. */
  async function followIn(tx: Tx, journals: readonly Journal[]): Promise<boolean> {
    const followed = new Set(
      (await tx.selectFrom('followed_renames').selectAll().execute()).map((one) => one.journal_id),
    );
    let changed = false;
    for (const [root, own] of Map.groupBy(journals, ({ head }) => head.root)) {
      const steps = toFollow(own.flatMap(endedOf), followed, (below) => `${root}/${below}`);
      for (const { journal_id, done, moves } of steps) {
        await writeVideos(tx, moved(await videosAbout(tx, root), moves));
        if (done) await tx.insertInto('followed_renames').values({ journal_id }).execute();
        else await tx.deleteFrom('followed_renames').where('journal_id', '=', journal_id).execute();
        changed = true;
      }
    }
    return changed;
  }

  return {
    task: 'recognize-media-file',

    async apply(kept, by): Promise<Confirmed> {
      const { folder, findings } = await look(kept);
      const journals = await journal.list({ root: folder });
      const plan = { plan_id: kept.plan.id, folder, at: clock.now(), by, findings };
      const changes = await store.write(async (tx) => {
        // Renames of before are no moves of what is recorded now.
        await followIn(tx, journals);
        const made = confirmed(await videosAbout(tx, folder), plan, () => randomUuids.next());
        await writeVideos(tx, made);
        return made;
      });
      events.emit({ type: 'CatalogChanged' });
      return changes;
    },

    async appliedBy(planId) {
      const [row] = await videosOfPlan(store.db, planId);
      return row?.claims.find(({ plan_id }) => plan_id === planId)?.confirmed_by ?? null;
    },

    async takeBack(planId) {
      const files = await store.write(async (tx) => {
        const changes = withoutPlan(await videosOfPlan(tx, planId), planId);
        await writeVideos(tx, changes);
        return changes.put.length + changes.gone.length;
      });
      events.emit({ type: 'CatalogChanged' });
      return files;
    },

    async follow(journals) {
      const followed = await store.db.selectFrom('followed_renames').selectAll().execute();
      const known = new Set(followed.map((one) => one.journal_id));
      const news = journals.flatMap(endedOf).some(({ head, ended }) => (ended === 'done') !== known.has(head.id));
      if (!news) return;
      await store.write((tx) => followIn(tx, journals));
      events.emit({ type: 'CatalogChanged' });
    },
  };
}

/** A path of a plan as a path below the folder's real place. */
function really(path: string, mediaFolderPath: string, root: string): string {
  const place = locate(mediaFolderPath, path);
  return place.ok ? `${root}/${place.below}` : path;
}

/** None for a journal that is open or damaged. */
function endedOf(journal: Journal): EndedRename[] {
  try {
    const { ended } = replayJournal(journal);
    return ended === null ? [] : [{ head: journal.head, ended }];
  } catch {
    return [];
  }
}
