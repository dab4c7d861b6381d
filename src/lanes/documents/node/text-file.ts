/** Files that commands write: the old content or the new one, never half of it. */
export { writeFileAtomic } from '#adapters/node/atomic-file.ts';
