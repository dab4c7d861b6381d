import type { Component } from 'svelte';
import { toFailure } from '#core/errors.ts';
import { toasts } from './toasts.svelte.ts';

/** What is listened to, one staged file at a time; the dock that plays it is loaded at the first use. */
class Player {
  /** Id of the job whose file is in the dock, or null. */
  job = $state<string | null>(null);
  /** What is wished; the dock follows, and says here when the sound came to its end. */
  paused = $state(true);
  Dock = $state.raw<Component<{ jobId: string }> | null>(null);

  /** Whether this job's file is heard now. */
  hears(jobId: string): boolean {
    return this.job === jobId && !this.paused;
  }

  /** Opens the dock and plays; with the same file again it pauses or goes on. */
  async toggle({ id }: { id: string }): Promise<void> {
    this.paused = this.job === id && !this.paused;
    this.job = id;
    try {
      this.Dock ??= (await import('../components/player/ListenDock.svelte')).default;
    } catch (thrown) {
      this.stop();
      toasts.fail(toFailure(thrown));
    }
  }

  /** Closes the dock. */
  stop(): void {
    this.job = null;
    this.paused = true;
  }
}

export const player = new Player();
