/**
 * Preloaded (`node --import`) into what a launcher starts: when the launcher is gone, even by SIGKILL, the
 * child ends as if it had been asked to, instead of holding the port for ever.
 */
if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
