import type { DropContext, DroppedFile } from '#adapters/browser/api.ts';
import { failure } from '#core/errors.ts';
import { ask, stage } from '../client.ts';
import { plural } from '../words.ts';
import { toasts } from './toasts.svelte.ts';

/** Taking files in, whichever way they come; the context holds for the next drop. */
class Intake {
  context = $state<DropContext>({ type: 'SPONTANEOUS', id: null });
  /** Drops handed to the worker that are not yet a batch row. */
  taking = $state(0);

  /** Answers whether everything is a job or a failed row now. */
  async take(files: DroppedFile[], label?: string): Promise<boolean> {
    if (files.length === 0) return true;
    void navigator.storage?.persist?.();
    this.taking++;
    try {
      const context = $state.snapshot(this.context);
      return (await ask(stage().stage(files, context, label))) !== null;
    } finally {
      this.taking--;
    }
  }

  /** What a folder held but the browser would not open. */
  sayUnreadable(paths: readonly string[]): void {
    const [first] = paths;
    if (first === undefined) return;
    const more = paths.length === 1 ? '' : ` and ${plural(paths.length - 1, 'more file')}`;
    toasts.fail(failure('file_unreadable', `"${first}"${more} could not be read.`, { subject: first }));
  }

  async tryIt(requestId: string): Promise<void> {
    this.taking++;
    try {
      await ask(stage().tryIt(requestId));
    } finally {
      this.taking--;
    }
  }
}

export const intake = new Intake();
