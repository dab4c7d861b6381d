import { goto } from '$app/navigation';
import { resolve } from '$app/paths';
import type { Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { db } from '#ui/client/db.ts';
import { ask } from '#ui/client/workers.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import {
  mayWrite,
  playbooks,
  proxy,
  type Fault,
  type Limits,
  type PlaybookRow,
  type PlaybookRunRow,
  type RunAnswer,
  type RunWish,
} from '../client.ts';
import { END_WORDS } from './end-words.ts';

const bookRows = new Live<PlaybookRow[]>(() => db.playbook_books.orderBy('changed_at').reverse().toArray(), []);
const runRows = new Live<PlaybookRunRow[]>(
  () => db.playbook_runs.orderBy('begun_at').reverse().limit(200).toArray(),
  [],
  200,
);

/** Below the origin: `resolve` makes an address of it. */
export const bookPath = (id: string): string => `playbooks/${id}`;
export const runPath = (id: string): string => `playbooks/runs/${id}`;

/** What the pages of playbooks have. It is kept while the app is open: a run goes on while another page is shown. */
class Desk {
  /** Runs that this page works on. */
  working = $state.raw<readonly string[]>([]);
  /** Why the last start or resume of a playbook or run was refused, by its id. */
  refused = $state.raw<Readonly<Record<string, readonly Fault[]>>>({});

  /** Why a run could not be worked on any more (no space is left), by its id; what it had written is kept. */
  troubles = $state.raw<Readonly<Record<string, Failure>>>({});

  readonly books: PlaybookRow[] = $derived(bookRows.current);
  readonly runs: PlaybookRunRow[] = $derived(runRows.current);
  readonly ready: boolean = $derived(bookRows.ready && runRows.ready);

  async add(name: string, text: string): Promise<void> {
    await this.#go(ask(playbooks().add(name, text)));
  }

  async addShipped(id: string): Promise<void> {
    await this.#go(ask(playbooks().addShipped(id)));
  }

  async #go(adding: Promise<string | null>): Promise<void> {
    const id = await adding;
    if (id !== null) await goto(resolve(bookPath(id)));
  }

  /** Goes to the run's page as soon as it is one. */
  async run(wish: RunWish): Promise<void> {
    let run: string | null = null;
    const onBegun = proxy((begun: string) => {
      run = begun;
      this.#works(begun, true);
      void goto(resolve(runPath(begun)));
    });
    const trouble = await this.#heard(wish.book, playbooks().run(wish, onBegun));
    if (run === null) return;
    this.#works(run, false);
    this.#troubled(run, trouble);
  }

  async resume(run: string, limits: Limits): Promise<void> {
    if (this.working.includes(run)) return;
    const folder = this.runs.find(({ id }) => id === run)?.folder;
    if (folder !== undefined && !(await mayWrite(folder))) return;
    this.#works(run, true);
    this.#troubled(run, null);
    const trouble = await this.#heard(run, playbooks().resume(run, limits));
    this.#works(run, false);
    this.#troubled(run, trouble);
  }

  cancel(run: string): void {
    void playbooks().cancel(run);
  }

  pause(run: string): void {
    void playbooks().pause(run);
  }

  /** What kept it from its end; null: it has one, or was refused. */
  async #heard(of: string, answering: Promise<Result<RunAnswer>>): Promise<Failure | null> {
    this.refused = { ...this.refused, [of]: [] };
    const answered = await answering;
    const answer = await ask(Promise.resolve(answered));
    if (answer?.state === 'refused') {
      this.refused = { ...this.refused, [of]: answer.faults };
      toasts.say('Refused: nothing was asked.');
    }
    return answered.ok ? null : answered.failure;
  }

  #troubled(run: string, trouble: Failure | null): void {
    const { [run]: _, ...others } = this.troubles;
    this.troubles = trouble === null ? others : { ...others, [run]: trouble };
  }

  forgetRefusal(of: string): void {
    if ((this.refused[of] ?? []).length > 0) this.refused = { ...this.refused, [of]: [] };
  }

  #works(run: string, does: boolean): void {
    const others = this.working.filter((one) => one !== run);
    this.working = does ? [...others, run] : others;
  }
}

export const desk = new Desk();

const WORDS: Readonly<Record<PlaybookRunRow['state'], string>> = {
  open: 'cut off',
  ...END_WORDS,
  paused: 'paused',
};

/** `working`: this page runs it. */
export const stateWords = (state: PlaybookRunRow['state'], working: boolean): string =>
  working ? 'running' : WORDS[state];

export const MODEL_WORDS = (model: string): string => {
  if (model === 'recorded') return 'recorded answers';
  if (model === 'none') return 'no model';
  return model === 'recording' ? 'a recording' : model;
};
