/** Where parts of drops went. Apart from sent-parts.svelte.ts, which is no part of what a first drop waits for. */
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { LaneKept, LaneUi, TakenPart } from '../lane-ui.ts';

export interface SentPart {
  id: string;
  /** Milliseconds. */
  at: number;
  lane: LaneUi;
  /** `Library`, as it is said of what was sent there. */
  label: string;
  /** What went, in words. */
  about: string;
  /** How many files; 0: they are not at hand. */
  count: number;
  /** Empty after a reload. */
  files: readonly DroppedFile[];
  folder: FileSystemDirectoryHandle | null;
  /** `refused`: the lane has said why. */
  state: 'going' | 'taken' | 'refused';
  taken: TakenPart | null;
  /** The drop's, once it is known. */
  batchId: string | null;
  /** What its companions are called in the batch. */
  kind: string;
  /** It lies in the batch, and is opened from there. */
  kept?: LaneKept;
}

class SentList {
  /** Until the person has read it or sent them elsewhere. */
  list = $state.raw<readonly SentPart[]>([]);
}

export const sentList = new SentList();
