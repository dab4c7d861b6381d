/** Where a thread has the catalog and the counts of words from. */
export interface ChangesSource {
  /** A file; null: the project's own catalog of this seed. */
  catalog: string | null;
  seed: number;
  /** A folder of real names, where there is one. */
  names: string | null;
  /** Changes whose kind has this text. */
  kind: string;
  /** Only changes that say nothing, or only those that say that it is something else; empty: both. */
  part: '' | 'neutral' | 'telling';
}

/** So many changed albums, drawn by a seed of their own. */
export interface ChangesTask {
  seed: number;
  albums: number;
}
