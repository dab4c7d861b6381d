import type { ArchiveLimits, Expansion } from '../../ingest/limits.ts';
import type { Cancel } from '../../ports.ts';
import type { StagePorts } from './ports.ts';
import type { Reading } from './reading.ts';
import type { BatchRows } from './rows.ts';

/** One batch on its way in. */
export interface StageRun {
  ports: StagePorts;
  rows: BatchRows;
  cancel: Cancel;
  limits: ArchiveLimits;
  /** What each dropped archive has expanded to so far, by its path. */
  expansions: Map<string, Expansion>;
  reading: Reading;
  /** Paths of archives whose entries are expected already. */
  listed: Set<string>;
  /** An archive that is opened again for what failed in it before. */
  again?: Reopened;
  /** What is taken in already is stored again: its bytes are not here any more. */
  refill?: boolean;
}

export interface Reopened {
  /** Path of the archive. */
  path: string;
  /** In memory only, for as long as this run takes. */
  password?: string;
  /** Failed rows that are tried again: job id by path in the batch. */
  retake: ReadonlyMap<string, string>;
}
