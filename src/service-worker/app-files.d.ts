/** Written by scripts/lib/app-files.ts. */
declare module 'virtual:app-files' {
  /**
   * Files whose name carries the hash of their content; `path` without a leading slash. `onDemand`: kept when it was
   * used, not before.
   */
  export const files: { path: string; bytes: number; onDemand: boolean }[];
}
