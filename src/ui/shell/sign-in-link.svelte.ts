import type { LinkOutcome } from '../client/sign-in.ts';

/** What a link that was opened has to say or to ask, until the person has answered. */
export type LinkNotice = Exclude<LinkOutcome, { kind: 'take' | 'same' }> & { token: string };

/**
 * A sign-in link that was opened in this browser.
 *
 *   open --known, nobody here--> signed in
 *     |--known, somebody else here--> asked --yes--> signed in
 *     |                                \--no--> as before
 *     |--not known--> refused
 *     \--no answer--> unanswered --again--> open
 */
class SignInLink {
  /** null: there is nothing to say. */
  notice = $state.raw<LinkNotice | null>(null);
  busy = $state(false);
  #last = Promise.resolve();

  async open(token: string): Promise<void> {
    await this.#run(async () => {
      const { askAbout } = await import('../client/sign-in.ts');
      const outcome = await askAbout(token);
      if (outcome.kind === 'take') return this.#keep(token);
      this.notice = outcome.kind === 'same' ? null : { ...outcome, token };
    });
  }

  /** The person wants to be signed in by it. */
  async accept(): Promise<void> {
    const { notice } = this;
    if (notice !== null) await this.#run(() => this.#keep(notice.token));
  }

  again(): Promise<void> {
    return this.notice === null ? Promise.resolve() : this.open(this.notice.token);
  }

  dismiss(): void {
    this.notice = null;
  }

  async #keep(token: string): Promise<void> {
    const [{ keepToken }, { ask, pipeline }] = await Promise.all([
      import('../client/sign-in.ts'),
      import('../client/workers.ts'),
    ]);
    const kept = await keepToken(token);
    this.notice = kept.ok ? null : { kind: 'unanswered', failure: kept.failure, token };
    if (kept.ok) void ask(pipeline().syncNow());
  }

  /** One after the other: a link that is opened while another is asked about has its turn. */
  #run(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => this.#carryOut(work));
    return this.#last;
  }

  async #carryOut(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (thrown) {
      const [{ toasts }, { toFailure }] = await Promise.all([
        import('../parts/toasts.svelte.ts'),
        import('#core/errors.ts'),
      ]);
      toasts.fail(toFailure(thrown));
    } finally {
      this.busy = false;
    }
  }
}

export const signInLink = new SignInLink();
