/**
 * Preloaded (`node --import`) into what a launcher starts: when the launcher is gone, even by SIGKILL, the
 * child ends as if it had been asked to, instead of holding the port for ever.
 *
 * A terminal's Ctrl-C reaches the launcher and its child, and the launcher hands it on: the same signal
 * within a second is the same wish, so only the first one is passed to the program.
 */
const SAME_WISH_MS = 1000;

if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

  const emit = process.emit;
  /** @type {Map<unknown, number>} */
  const last = new Map();
  process.emit = /** @type {typeof process.emit} */ (
    function (/** @type {string} */ event, /** @type {unknown[]} */ ...args) {
      if (event === 'SIGINT' || event === 'SIGTERM') {
        const now = performance.now();
        const before = last.get('stop');
        last.set('stop', now);
        if (before !== undefined && now - before < SAME_WISH_MS) return true;
      }
      return Reflect.apply(emit, process, [event, ...args]);
    }
  );
}
