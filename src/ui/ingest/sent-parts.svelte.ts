/**
 * Sends parts of drops to the lanes that they belong to, and brings them elsewhere. The lines of `sentList` outlast a
 * reload (sent-rows.ts); the files do not, so from then on they can be taken out but not brought to another lane.
 */
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { Companion } from '#core/job/job.ts';
import { databaseOpened, db, forgetSentRow, keepSentRow, sentRows } from '../client/db.ts';
import { ask, stage } from '../client/workers.ts';
import { answered } from '#core/result.ts';
import type { LaneDrops, LaneUi, TakenPart } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';
import { plural } from '../parts/words.ts';
import { lanesInUse } from '../shell/lanes-in-use.ts';
import { folderOf, partsOfDrop, topOf } from './drop-parts.ts';
import { sentList, type SentPart } from './sent-list.svelte.ts';

type Receiver = LaneUi & { drops: LaneDrops };

const receives = (lane: LaneUi): lane is Receiver => lane.drops !== undefined;

/** `12 files of “src”`, `“notes.md”`. */
function aboutFiles(paths: readonly string[]): string {
  const [first] = paths;
  if (first === undefined) return '';
  if (paths.length === 1) return `“${first}”`;
  const top = topOf({ path: first });
  const one = top !== '' && paths.every((path) => topOf({ path }) === top);
  return `${plural(paths.length, 'file')}${one ? ` of “${top}”` : ''}`;
}

class SentParts {
  /** What was said before a reload. */
  async restore(): Promise<void> {
    await databaseOpened;
    const here = new Set(sentList.list.map(({ id }) => id));
    const before = (await sentRows()).flatMap(({ id, at, lane: laneId, about, path, ids, batch_id, kind }) => {
      const lane = allLanes().find((one) => one.id === laneId);
      const label = lane?.drops?.label ?? lane?.kept?.label;
      if (lane === undefined || label === undefined || here.has(id)) return [];
      const taken: TakenPart = ids === null ? { path } : { path, ids };
      const part: SentPart = {
        ...{ id, at, lane, label, about, taken, kind, count: 0, files: [], folder: null, batchId: batch_id },
        state: 'taken',
        ...(lane.kept ? { kept: lane.kept } : {}),
      };
      return [part];
    });
    sentList.list = [...before, ...sentList.list];
  }

  /** Sends what belongs to a lane there; answers the other files, and what the batch says of those that went. */
  async send(
    files: readonly DroppedFile[],
    folders: readonly FileSystemDirectoryHandle[],
  ): Promise<{ rest: DroppedFile[]; apart: Companion[]; sent: string[] }> {
    const { parts, rest } = await partsOfDrop(files, allLanes().filter(receives));
    const sent = parts.map(({ lane, files: own }) => this.#give(lane, own, folderOf(own, files, folders), null));
    const apart = parts.flatMap(({ lane, files: own }) =>
      own.map(({ path }) => ({ path, ...sentTo(lane.id, lane.drops.label), sha256: null, text: null })),
    );
    return { rest: [...rest], apart, sent };
  }

  /** The drop's batch is there: what of it a lane finds in there has its line, too. */
  async inBatch(batchId: string, sent: readonly string[]): Promise<void> {
    for (const id of sent) this.#change(id, { batchId });
    for (const lane of allLanes()) {
      const { kept } = lane;
      const paths = (await kept?.of(batchId)) ?? [];
      if (kept === undefined || paths.length === 0) continue;
      lanesInUse.add(lane.id);
      const part: SentPart = {
        ...{ id: crypto.randomUUID(), at: Date.now(), lane, label: kept.label, about: aboutFiles(paths) },
        ...{ count: paths.length, files: [], folder: null, state: 'taken', kept, batchId, kind: 'document' },
        taken: { path: kept.path, ids: [] },
      };
      this.#add(part);
      const jobs = await db.jobs.where('batch_id').equals(batchId).count();
      if (jobs === 0 && sent.length === 0) await kept.show(batchId, true);
    }
  }

  /** Lanes that could read all of these by their names. */
  others(part: SentPart): readonly Receiver[] {
    const could = ({ drops: { names } }: Receiver): boolean => part.files.every(({ path }) => names.test(path));
    if (part.files.length === 0) return [];
    return allLanes().filter((lane) => receives(lane) && lane.id !== part.lane.id && could(lane)) as Receiver[];
  }

  /** Takes the files out where they went, and brings them to another lane; null: to none (`outcome` says where they are). */
  async change(part: SentPart, lane: Receiver | null, outcome = 'left out'): Promise<void> {
    this.forget(part);
    const { batchId, kind, files, taken } = part;
    const ids = taken?.ids ?? [];
    if (ids.length > 0) await (await part.lane.drops?.load())?.takeOut(ids);
    if (batchId !== null) {
      const paths = files.length === 0 ? null : files.map(({ path }) => path);
      const now = lane === null ? { kind: 'left out', outcome } : sentTo(lane.id, lane.drops.label);
      await ask(answered(() => stage().sendElsewhere(batchId, { paths, kind }, now)));
    }
    if (lane !== null) this.#give(lane, files, part.folder, batchId);
  }

  forget({ id }: Pick<SentPart, 'id'>): void {
    sentList.list = sentList.list.filter((one) => one.id !== id);
    void forgetSentRow(id);
  }

  #give(
    lane: Receiver,
    files: readonly DroppedFile[],
    folder: FileSystemDirectoryHandle | null,
    batchId: string | null,
  ): string {
    const id = crypto.randomUUID();
    this.#add({
      ...{ id, at: Date.now(), lane, label: lane.drops.label, about: aboutFiles(files.map(({ path }) => path)) },
      ...{ count: files.length, files, folder, state: 'going', taken: null, batchId, kind: lane.id },
    });
    lanesInUse.add(lane.id);
    void lane.drops
      .load()
      .then((taker) => taker.take(files, folder))
      .catch(() => null)
      .then((taken) => this.#change(id, { state: taken === null ? 'refused' : 'taken', taken }));
    return id;
  }

  #add(part: SentPart): void {
    sentList.list = [...sentList.list, part];
    this.#keep(part);
  }

  #change(id: string, patch: Partial<SentPart>): void {
    sentList.list = sentList.list.map((one) => (one.id === id ? { ...one, ...patch } : one));
    const part = sentList.list.find((one) => one.id === id);
    if (part !== undefined) this.#keep(part);
  }

  /** What went is said after a reload, too; what is still going is taken in by nobody then. */
  #keep({ id, at, lane, about, taken, batchId, kind, state }: SentPart): void {
    if (state !== 'taken' || taken === null) return;
    const ids = taken.ids === undefined ? null : [...taken.ids];
    void keepSentRow({ ...{ id, at, about, ids, kind }, lane: lane.id, path: taken.path, batch_id: batchId });
  }
}

const sentTo = (kind: string, label: string) => ({ kind, outcome: `sent to ${label}` });

export const sentParts = new SentParts();
