import type { Timers } from '../http/socket.ts';
import type { Clock } from '#core/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};
