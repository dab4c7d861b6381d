import { ask } from '#ui/client/workers.ts';
import { ON_SERVER, playbooks, type RunView, type SharedRun } from '../../client.ts';
import { isUnderWay } from '../shared-runs.svelte.ts';

const EVERY_MS = 1500;
/** A long journal is asked for less often: so many times what it took. */
const REST = 4;

/** One run of the server on its page: asked for again while it is under way. */
export class SharedRunView {
  row = $state.raw<SharedRun | null>(null);
  /** null: it was not begun yet. */
  view = $state.raw<RunView | null>(null);
  /** Why the server did not say. */
  trouble = $state<{ code: string; message: string } | null>(null);
  readonly id: string;
  readonly ref: string;
  #left = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.ref = `${ON_SERVER}${id}`;
  }

  /** Until the answer is called. */
  watch(): () => void {
    void this.#look();
    return () => {
      this.#left = true;
      clearTimeout(this.#timer);
    };
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    const begun = performance.now();
    const found = await playbooks().sharedRun(this.id);
    if (found.ok) this.row = found.value;
    this.trouble = found.ok ? null : found.failure;
    if (found.ok && found.value.state !== 'refused') {
      const shown = await playbooks().show(this.ref);
      // Before its worker wrote the first line there is no journal.
      if (shown.ok) this.view = shown.value;
    }
    if (this.#left || this.trouble?.code === 'not_found') return;
    if (this.row !== null && !isUnderWay(this.row) && this.trouble === null) return;
    this.#timer = setTimeout(() => void this.#look(), Math.max(EVERY_MS, REST * (performance.now() - begun)));
  }

  async cancel(): Promise<void> {
    this.row = (await ask(playbooks().cancelShared(this.id))) ?? this.row;
    await this.#look();
  }

  async resume(limits: Record<string, number>): Promise<void> {
    this.row = (await ask(playbooks().resumeShared(this.id, limits))) ?? this.row;
    await this.#look();
  }

  /** true: it is gone. */
  async remove(): Promise<boolean> {
    const gone = await playbooks().removeShared(this.id);
    if (!gone.ok) void ask(Promise.resolve(gone));
    return gone.ok;
  }
}
