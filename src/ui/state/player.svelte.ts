import { failure, toFailure } from '#core/errors.ts';
import type { Job } from '#core/job/job.ts';
import { toasts } from './toasts.svelte.ts';

/** Plays one staged original at a time. */
class Player {
  /** Id of the job that is heard, or null. */
  playing = $state<string | null>(null);
  #audio: HTMLAudioElement | null = null;
  #url: string | null = null;

  async toggle(job: Pick<Job, 'id' | 'sha256' | 'original_filename'>): Promise<void> {
    const again = this.playing === job.id;
    this.stop();
    if (again || job.sha256 === null) return;
    this.playing = job.id;
    try {
      const { storedFile } = await import('../blobs.ts');
      const blob = await storedFile(job.sha256);
      if (this.playing !== job.id) return;
      this.#url = URL.createObjectURL(blob);
      this.#audio = new Audio(this.#url);
      this.#audio.addEventListener('ended', () => this.stop());
      await this.#audio.play();
    } catch (thrown) {
      if (this.playing !== job.id) return;
      this.stop();
      const unplayable = thrown instanceof DOMException && thrown.name === 'NotSupportedError';
      toasts.fail(
        unplayable
          ? failure('file_unsupported', `This browser cannot play "${job.original_filename}".`, {
              remedy: 'It is converted all the same; listen to it in the catalog once it is available.',
            })
          : toFailure(thrown, job.original_filename),
      );
    }
  }

  stop(): void {
    this.#audio?.pause();
    this.#audio = null;
    if (this.#url !== null) URL.revokeObjectURL(this.#url);
    this.#url = null;
    this.playing = null;
  }
}

export const player = new Player();
