/**
 * A share (0..1) that is said at most once in `everyMs`, and at its end: each word from a worker to another is two
 * messages that wake both. `now`: milliseconds of a steady clock.
 */
export function spaced(say: (share: number) => void, everyMs: number, now: () => number): (share: number) => void {
  let next = -Infinity;
  return (share) => {
    const at = now();
    if (share < 1 && at < next) return;
    next = at + everyMs;
    say(share);
  };
}
