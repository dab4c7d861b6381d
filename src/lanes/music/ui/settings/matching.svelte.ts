import {
  CALIBRATION_ROW,
  parseCalibration,
  profileOf,
  AS_SHIPPED,
  locally,
} from '#lanes/music/core/calibration/local-profile.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import type { Result } from '#core/result.ts';
import { ask } from '#ui/client/workers.ts';
import { music } from '../client.ts';
import { db } from '#ui/client/db.ts';
import { plural } from '#ui/parts/words.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { settings } from '#ui/settings/settings.svelte.ts';

/** Confidences (0..1, as shipped) that are shown beside what they are here. */
const LEVELS = [0.97, 0.9, 0.75];

const calibration = new Live(
  async () => parseCalibration((await db.meta.get(CALIBRATION_ROW))?.value),
  parseCalibration(null),
  300,
);
const remembered = new Live(() => db.memory.count(), 0, 300);

/** What this browser learned from the person's answers: the local profile, and the decisions it remembers. */
class Matching {
  busy = $state(false);
  readonly ready: boolean = $derived(calibration.ready && remembered.ready);
  readonly remembered: number = $derived(remembered.current);
  /** Answers that the profile in use has learned from; 0: it is the shipped one. */
  readonly answers: number = $derived(
    calibration.current.base === SHIPPED_PROFILE.version ? calibration.current.answers : 0,
  );
  readonly dropped: number = $derived(calibration.current.dropped);
  readonly version: string = $derived(profileOf(calibration.current).version);
  readonly levels: { shipped: number; here: number }[] = $derived.by(() => {
    const fit = this.answers === 0 ? AS_SHIPPED : calibration.current;
    return LEVELS.map((shipped) => ({ shipped, here: locally(shipped, fit) }));
  });

  /** The shipped profile again, with a way back. */
  async reset(): Promise<void> {
    const done = await this.#ask(music().resetProfile());
    if (done === null) return;
    const undo = async (): Promise<void> => {
      const back = await ask(music().restoreProfile(done.before));
      if (back !== null) toasts.say(`Learned from ${plural(back.answers, 'answer')} again`);
    };
    toasts.say('Back to the shipped profile', { label: 'Undo', run: () => void undo() });
  }

  /** Whether a remaster or a deluxe edition is the album that the catalog has. What is asked is matched again. */
  async setSameEditions(same: boolean): Promise<void> {
    await settings.set('same_editions', same);
    await this.#ask(music().matchAgain());
    const words = same
      ? 'Remasters, deluxe and explicit editions are now the album that the catalog has.'
      : 'Remasters and deluxe editions are asked about again.';
    toasts.say(words, { label: 'Undo', run: () => void this.setSameEditions(!same) });
  }

  async forget(): Promise<void> {
    const done = await this.#ask(music().forgetDecisions());
    if (done !== null) toasts.say(`Forgotten: ${plural(done.forgotten, 'decision')}`);
  }

  async #ask<T>(call: Promise<Result<T>>): Promise<T | null> {
    this.busy = true;
    const value = await ask(call);
    this.busy = false;
    return value;
  }
}

export const matching = new Matching();
