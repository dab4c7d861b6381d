import { treeMemory } from './processes.ts';

const EVERY_MS = 1000;

/** Memory of a browser over a stretch of work, in bytes. */
export interface MemoryCourse {
  /** The most that it held over what it held at the start. */
  extra: number;
  /** Seconds since the start, and bytes over the start. */
  samples: { at: number; bytes: number }[];
}

/** Looks at all processes of the browser once a second. */
export function watchMemory(pid: number): { stop(): MemoryCourse } {
  const begun = performance.now();
  const idle = treeMemory(pid);
  const samples: MemoryCourse['samples'] = [];
  const look = (): void =>
    void samples.push({
      at: (performance.now() - begun) / 1000,
      bytes: treeMemory(pid) - idle,
    });
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { extra: Math.max(...samples.map(({ bytes }) => bytes)), samples };
    },
  };
}

/** Bytes a second that memory grew by in the second half of the way, by least squares: the first half fills caches. */
export function slopeOf(samples: MemoryCourse['samples']): number {
  const late = samples.slice(Math.floor(samples.length / 2));
  const mean = (of: (sample: (typeof late)[number]) => number): number =>
    late.reduce((sum, sample) => sum + of(sample), 0) / late.length;
  const [at, bytes] = [mean((sample) => sample.at), mean((sample) => sample.bytes)];
  const spread = late.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  return spread === 0 ? 0 : late.reduce((sum, sample) => sum + (sample.at - at) * (sample.bytes - bytes), 0) / spread;
}
