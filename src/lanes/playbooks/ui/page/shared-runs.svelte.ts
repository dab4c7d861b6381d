import { ask } from '#ui/client/workers.ts';
import { playbooks, type RunWish, type SharedRun } from '../client.ts';
import { END_WORDS } from './end-words.ts';

const EVERY_MS = 5000;

/** Below the origin. */
export const sharedPath = (id: string): string => `playbooks/shared/${id}`;

/** Runs that stand on the server, asked for while a page shows them. */
class SharedRuns {
  /** null: the server was not asked yet, or this browser is not signed in there. */
  runs = $state.raw<readonly SharedRun[] | null>(null);
  /** Why they are not known; null: they are, or nobody is signed in. */
  trouble = $state<string | null>(null);
  #watching = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Until the answer is called. */
  watch(): () => void {
    this.#watching += 1;
    if (this.#watching === 1) void this.#look();
    return () => {
      this.#watching -= 1;
      if (this.#watching === 0) clearTimeout(this.#timer);
    };
  }

  async #look(): Promise<void> {
    if (!document.hidden) {
      const found = await playbooks().sharedRuns();
      if (found.ok) this.runs = found.value;
      // Who is not signed in, or may not run any, has none there.
      const none = !found.ok && ['unauthorized', 'forbidden', 'not_found'].includes(found.failure.code);
      if (none) this.runs = null;
      this.trouble = found.ok || none ? null : found.failure.message;
    }
    clearTimeout(this.#timer);
    if (this.#watching > 0) this.#timer = setTimeout(() => void this.#look(), EVERY_MS);
  }

  /** Sends it there; null: it was refused, which was said. */
  begin(book: string, limits: Record<string, number>, step: NonNullable<RunWish['step']>): Promise<SharedRun | null> {
    return ask(playbooks().beginShared(book, limits, step));
  }
}

export const sharedRuns = new SharedRuns();

const WORDS: Readonly<Record<SharedRun['state'], string>> = {
  waiting: 'waits for a worker',
  running: 'running',
  ...END_WORDS,
};

export const sharedWords = ({ state, cancelling }: Pick<SharedRun, 'state' | 'cancelling'>): string =>
  cancelling ? 'being cancelled' : WORDS[state];

export const isUnderWay = ({ state }: Pick<SharedRun, 'state'>): boolean => state === 'waiting' || state === 'running';
