/** What lanes keep beside their jobs where rows are in memory, and what of it the server keeps for a person. */

/** A change works on a copy. */
export interface Copied<T> {
  copy(): T & Copied<T>;
}

/** By lane. */
export type MemoryLanes<R> = { [K in keyof R]: R[K] & Copied<R[K]> };

/** Something that was learned from a person's answers. Kinds and keys are the lane's. */
export interface LearnedRow {
  kind: string;
  key: string;
  /** Milliseconds since the epoch: the oldest go first where there are too many. */
  at: number;
  /** JSON; null: it is forgotten. */
  value: unknown;
}

/** What was learned from a person's answers so far, wherever that is kept. */
export interface LearnedSource {
  /** Of these keys, or all of the kind. Throws AccessionError where it cannot be asked. */
  read(kind: string, keys?: readonly string[]): Promise<LearnedRow[]>;
}

/** Rows that remember what the source does not know yet. */
export interface Learning {
  unsaved(): LearnedRow[];
  /** These were saved; what was written meanwhile stays. */
  saved(rows: readonly LearnedRow[]): void;
}

export type LaneMemory = Copied<object> & Partial<Learning>;
