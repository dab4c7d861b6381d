import type { LanePlayer } from '#ui/lane-ui.ts';

/** What is listened to, one staged file at a time. The dock that plays it is loaded at the first use. */
class Player implements LanePlayer {
  job = $state<string | null>(null);
  /** What is wished; the dock follows, and says here when the sound came to its end. */
  paused = $state(true);

  plays(jobId: string): boolean {
    return this.job === jobId && !this.paused;
  }

  toggle(jobId: string): void {
    this.paused = this.job === jobId && !this.paused;
    this.job = jobId;
  }

  /** Closes the dock. */
  stop(): void {
    this.job = null;
    this.paused = true;
  }
}

export const player = new Player();
