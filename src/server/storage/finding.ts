/** What verifying finds: each by its name, with what is wrong and what can be done. */
import type { KeptFile } from '../lane-server.ts';
import type { Wrong } from './file-check.ts';

/** `mended`: it is right again. `asked`: nothing here has it; the catalog says so and asks for it. `left`: nothing done. */
export type Outcome = 'left' | 'mended' | 'asked';

export interface Finding {
  /** `media/Artist/...`, `database`, `search`, `feed`, `backup FILE`. */
  name: string;
  /** A sentence without its subject: "has other bytes than the catalog says". */
  wrong: string;
  /** A sentence: what can be done, or what was done. */
  remedy: string;
  outcome: Outcome;
}

/** The name of a file in findings. */
export const nameOf = ({ root, path }: Pick<KeptFile, 'root' | 'path'>): string => `${root}/${path}`;

export const WRONG: Record<Wrong, string> = {
  gone: 'is not there',
  size: 'has another length than the catalog says',
  hash: 'has other bytes than the catalog says',
};

/** What an operator can do about a damaged file. */
export function remedyFor({ root }: Pick<KeptFile, 'root'>): string {
  if (root === 'ingestion_uploads') return 'Upload it again; its job cannot go on.';
  return 'accession verify --repair mends it from another copy or a backup (--backup FILE), or asks for it again.';
}
