import { ask } from '#ui/client/workers.ts';
import { playbooks, type FileLook, type TableWish } from '../../client.ts';

/** Records that are drawn at first, and that each press adds. */
const STEP = 100;
/** Milliseconds between looks at a file that grows. */
const REST_MS = 700;

/** One file of a run on its page: its records sorted and filtered by the worker, which has it parsed. */
export class FileView {
  filter = $state('');
  sort = $state.raw<TableWish['sort']>(null);
  most = $state(STEP);
  look = $state.raw<FileLook | null>(null);
  readonly #run: string;
  readonly #path: string;
  #asking = false;
  /** Something changed while it was asked. */
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: string, path: string) {
    this.#run = run;
    this.#path = path;
  }

  get wish(): TableWish {
    return { filter: this.filter, sort: this.sort, most: this.most };
  }

  sortBy(column: string): void {
    const { sort } = this;
    if (sort?.column !== column) this.sort = { column, down: false };
    else this.sort = sort.down ? null : { column, down: true };
  }

  more(): void {
    this.most += STEP;
  }

  /** As it is now; asked again when it is asked for meanwhile, the last one last. */
  async refresh(): Promise<void> {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    try {
      const look = await ask(playbooks().look(this.#run, this.#path, this.wish));
      this.look = look ?? this.look;
    } finally {
      this.#asking = false;
    }
    if (!this.#again) return;
    this.#again = false;
    this.#timer = setTimeout(() => void this.refresh(), REST_MS);
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#again = false;
  }

  /** All records that are wanted, as a sheet; the text of a file without records. null: it could not be read. */
  sheet(): Promise<string | null> {
    return ask(playbooks().sheet(this.#run, this.#path, this.wish));
  }

  whole(): Promise<string | null> {
    return ask(playbooks().made(this.#run, this.#path));
  }
}
