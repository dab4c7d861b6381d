import type { Job } from '#core/job/job.ts';

interface Sample {
  at: number;
  /** Milliseconds of audio that wait for conversion. */
  audio: number;
}

const WINDOW_MS = 60_000;
const SHORTEST_MS = 6000;

/**
 * How long converting will take, from how fast it went in the last minute. Says nothing (null) until it
 * has seen some seconds of it, and forgets what it knew when work is added.
 */
export class TimeLeft {
  #samples: Sample[] = [];

  /** Milliseconds left, or null. `now` is milliseconds of any steady clock. */
  estimate(jobs: readonly Job[], now: number): number | null {
    const audio = jobs.reduce((sum, job) => sum + audioLeft(job), 0);
    const last = this.#samples.at(-1);
    if (last !== undefined && audio > last.audio) this.#samples = [];
    // The clock starts with the first progress: loading the codecs says nothing about their speed.
    if (this.#samples[0]?.audio === audio) this.#samples = [];
    if (audio === 0) {
      this.#samples = [];
      return null;
    }
    this.#samples = [...this.#samples.filter((sample) => now - sample.at < WINDOW_MS), { at: now, audio }];
    const first = this.#samples[0];
    if (first === undefined || now - first.at < SHORTEST_MS || first.audio <= audio) return null;
    return (audio * (now - first.at)) / (first.audio - audio);
  }
}

function audioLeft(job: Job): number {
  if (job.phase !== 'approved' && job.phase !== 'converting') return 0;
  return (job.duration_ms ?? 0) * (1 - (job.phase === 'converting' ? job.progress : 0));
}
