/** How a run ended, in words: the same wherever it ran. */
export const END_WORDS = {
  refused: 'refused',
  completed: 'done',
  completed_with_failures: 'done, with units left out',
  failed: 'failed',
  stopped: 'stopped by a limit',
  cancelled: 'cancelled',
} as const;
