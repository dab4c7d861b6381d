/** What is listened to, one staged file at a time. The dock that plays it is loaded at the first use (Shell). */
class Player {
  /** Id of the job whose file is in the dock, or null. */
  job = $state<string | null>(null);
  /** What is wished; the dock follows, and says here when the sound came to its end. */
  paused = $state(true);

  /** Whether this job's file is heard now. */
  hears(jobId: string): boolean {
    return this.job === jobId && !this.paused;
  }

  /** Opens the dock and plays; with the same file again it pauses or goes on. */
  toggle({ id }: { id: string }): void {
    this.paused = this.job === id && !this.paused;
    this.job = id;
  }

  /** Closes the dock. */
  stop(): void {
    this.job = null;
    this.paused = true;
  }
}

export const player = new Player();
