/** Written by scripts/lib/app-files.ts. */
declare module 'virtual:app-files' {
  import type { PackTable } from './pack.ts';

  /** The small files of the app. */
  export const pack: PackTable;
  /**
   * The other files, whose name carries the hash of their content; `path` without a leading slash. `onDemand`: kept when it was
   * used, not before; `ofDemo`: of these, what a lane's demo runs on.
   */
  export const files: { path: string; bytes: number; onDemand: boolean; ofDemo: boolean }[];
}
