/** Parts of drops that went to a lane of their own, until the person has read it or sent them elsewhere. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { Companion } from '#core/job/job.ts';
import type { LaneDrops, LaneUi, TakenPart } from '../lane-ui.ts';
import { allLanes } from '../lanes.ts';
import { lanesInUse } from '../shell/lanes-in-use.ts';
import { folderOf, partsOfDrop } from './drop-parts.ts';

type Receiver = LaneUi & { drops: LaneDrops };

export interface SentPart {
  id: number;
  files: readonly DroppedFile[];
  folder: FileSystemDirectoryHandle | null;
  lane: Receiver;
  /** `refused`: the lane has said why. */
  state: 'going' | 'taken' | 'refused';
  taken: TakenPart | null;
}

const receives = (lane: LaneUi): lane is Receiver => lane.drops !== undefined;

class SentParts {
  list = $state.raw<readonly SentPart[]>([]);
  #last = 0;

  /** Sends what belongs to a lane there; answers the other files, and what the batch says of those that went. */
  async send(
    files: readonly DroppedFile[],
    folders: readonly FileSystemDirectoryHandle[],
  ): Promise<{ rest: DroppedFile[]; apart: Companion[] }> {
    const { parts, rest } = await partsOfDrop(files, allLanes().filter(receives));
    for (const { lane, files: own } of parts) this.#give(lane, own, folderOf(own, files, folders));
    const apart = parts.flatMap(({ lane, files: own }) =>
      own.map(({ path }) => ({
        path,
        kind: lane.id,
        outcome: `sent to ${lane.drops.label}`,
        sha256: null,
        text: null,
      })),
    );
    return { rest: [...rest], apart };
  }

  /** Lanes that could read all of these by their names. */
  others(part: SentPart): readonly Receiver[] {
    const could = ({ drops: { names } }: Receiver): boolean => part.files.every(({ path }) => names.test(path));
    return allLanes().filter((lane) => receives(lane) && lane.id !== part.lane.id && could(lane)) as Receiver[];
  }

  /** Takes the files out where they went, and brings them to another lane; null: to none. */
  async change(part: SentPart, lane: Receiver | null): Promise<void> {
    this.forget(part);
    await part.taken?.undo?.();
    if (lane !== null) this.#give(lane, part.files, part.folder);
  }

  forget({ id }: Pick<SentPart, 'id'>): void {
    this.list = this.list.filter((one) => one.id !== id);
  }

  #give(lane: Receiver, files: readonly DroppedFile[], folder: FileSystemDirectoryHandle | null): void {
    const part: SentPart = { id: ++this.#last, lane, files, folder, state: 'going', taken: null };
    this.list = [...this.list, part];
    lanesInUse.add(lane.id);
    void lane.drops
      .load()
      .then((taker) => taker.take(files, folder))
      .catch(() => null)
      .then((taken) => {
        const now = { ...part, state: taken === null ? ('refused' as const) : ('taken' as const), taken };
        this.list = this.list.map((one) => (one.id === part.id ? now : one));
      });
  }
}

export const sentParts = new SentParts();
