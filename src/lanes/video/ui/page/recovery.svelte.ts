/** Renames that were interrupted, put right once a start: by whoever asks first, for all who show it. */
import { ask } from '#ui/client/workers.ts';
import { video, type RecoveredFolder } from '../client.ts';
import { recoveryWords, type EndedWords } from './ended-words.ts';

class RecoveryState {
  recovered = $state.raw<RecoveredFolder[]>([]);
  busy = $state(false);
  #run: Promise<void> | null = null;

  /** What was found, in words. */
  readonly words: EndedWords[] = $derived(
    this.recovered.flatMap(({ folder, recoveries }) => recoveries.map((one) => recoveryWords(folder, one))),
  );

  /** `giveUp`: what can go neither way is left as it is. */
  run(giveUp = false): Promise<void> {
    this.#run ??= this.#recover(giveUp).finally(() => (this.#run = null));
    return this.#run;
  }

  async #recover(giveUp: boolean): Promise<void> {
    this.busy = true;
    const found = await ask(video().recover(giveUp));
    if (found !== null && found.length > 0) this.recovered = found;
    this.busy = false;
  }
}

export const recovery = new RecoveryState();
