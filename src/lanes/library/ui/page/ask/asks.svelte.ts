import { toFailure } from '#core/errors.ts';
import type { Answer } from '#lanes/library/core/ask/answer/answer.types.ts';
import { ask } from '#ui/client/workers.ts';
import { db } from '#ui/client/db.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { library, proxy, type AskProgress, type AskWish, type LibraryAskRow } from '../../client.ts';

const rows = new Live<LibraryAskRow[]>(
  () => db.library_asks.orderBy('asked_at').reverse().limit(100).toArray(),
  [],
  200,
);

/** What the Ask page has. It is kept while the app is open: a run goes on while another page is shown. */
class Asks {
  /** Runs that this page works on, by id. */
  progress = $state.raw<Readonly<Record<string, AskProgress | null>>>({});
  /** The question that the next one follows on from. */
  after = $state<string | null>(null);
  /** The question that is shown. */
  open = $state<string | null>(null);

  readonly history: LibraryAskRow[] = $derived(rows.current);
  readonly ready: boolean = $derived(rows.ready);
  readonly shown: LibraryAskRow | null = $derived(this.history.find(({ id }) => id === this.open) ?? null);

  async put(wish: AskWish): Promise<void> {
    let id = '';
    const result = await library().ask(
      $state.snapshot(wish) as AskWish,
      proxy((begun: string) => {
        id = begun;
        this.open = begun;
        this.#heard(begun, null);
      }),
      proxy((progress: AskProgress) => this.#heard(id, progress)),
    );
    this.#ended(id);
    if (!result.ok) toasts.fail(result.failure);
  }

  /** The same question once more, over at most so many rounds. */
  again({ question, task, folders, model, after, how }: LibraryAskRow, iterations: number): Promise<void> {
    const { profile, tools, domains } = how ?? { profile: 'hybrid', tools: [], domains: [] };
    return this.put({
      ...{ question, task, folders, after: after ?? null, profile, iterations },
      ...{ model: model !== null, tools, domains },
    });
  }

  async goOn(id: string): Promise<void> {
    if (id in this.progress) return;
    this.#heard(id, null);
    const result = await library().goOn(
      id,
      proxy((progress: AskProgress) => this.#heard(id, progress)),
    );
    this.#ended(id);
    if (!result.ok) toasts.fail(result.failure);
  }

  /** `progress`: null where it begins; what is heard of one that has ended is late. */
  #heard(id: string, progress: AskProgress | null): void {
    if (progress === null || id in this.progress) this.progress = { ...this.progress, [id]: progress };
  }

  #ended(id: string): void {
    this.progress = Object.fromEntries(Object.entries(this.progress).filter(([one]) => one !== id));
  }

  stop(id: string): void {
    void library().stopAsking(id);
  }

  async forget(id: string): Promise<void> {
    if (this.open === id) this.open = null;
    await ask(library().forgetAsked(id));
  }

  /** Plays a transcript back and shows its answer. */
  async playBack(file: File): Promise<void> {
    const id = await ask(library().playBack(await file.text()));
    if (id !== null) this.open = id;
  }

  async transcript(id: string): Promise<string | null> {
    try {
      return await ask(library().askTranscript(id));
    } catch (thrown) {
      toasts.fail(toFailure(thrown));
      return null;
    }
  }
}

export const asks = new Asks();

/** A stored answer; null where it is of another form. */
export function answerOf({ answer }: LibraryAskRow): Answer | null {
  const isOne = typeof answer === 'object' && answer !== null && 'sentences' in answer && 'citations' in answer;
  return isOne ? (answer as Answer) : null;
}
