import { ask } from '#ui/client/workers.ts';
import {
  isOpen,
  mayWrite,
  pickFolder,
  playbooks,
  type BookCheck,
  type PlaybookRow,
  type RunWish,
  type WithModel,
} from '../client.ts';
import { desk } from './desk.svelte.ts';

/** Milliseconds without a key before what was typed is kept and checked. */
const REST_MS = 400;

/** One playbook on its page: what is typed is kept and checked by itself. */
export class Book {
  readonly id: string;
  name = $state('');
  text = $state('');
  values = $state<Record<string, string>>({});
  files = $state.raw<readonly string[]>([]);
  check = $state.raw<BookCheck | null>(null);
  using = $state<WithModel>('settings');
  loaded = $state(false);
  /** Files of its folder that are there already may be overwritten. */
  overwrite = $state(false);
  /** The browser wants to be asked for its folder again. */
  locked = $state(false);
  readonly row: PlaybookRow | null = $derived.by(() => desk.books.find(({ id }) => id === this.id) ?? null);
  /** Something was typed that is not kept yet. */
  #typed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Checks that were asked for. */
  #asked = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** From its row, once. */
  async load(row: PlaybookRow): Promise<void> {
    if (this.loaded) return;
    Object.assign(this, { name: row.name, text: row.text, values: { ...row.values }, loaded: true });
    this.using = row.shipped !== null ? 'recorded' : 'settings';
    this.files = (await ask(playbooks().files(`book:${this.id}`))) ?? [];
    await this.checked();
    // What a person has chosen meanwhile stays.
    if (this.using === 'recorded' && this.check?.model === null) this.using = 'settings';
  }

  typed(): void {
    this.#typed = true;
    // What was refused was another text.
    desk.forgetRefusal(this.id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.checked(), REST_MS);
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#typed) return;
    this.#typed = false;
    const { name, text } = this;
    await ask(playbooks().save(this.id, { name, text, values: $state.snapshot(this.values) }));
  }

  async checked(): Promise<void> {
    await this.save();
    if (this.row?.shipped === null && this.using === 'recorded') this.using = 'settings';
    const folder = this.row?.folder;
    this.locked = folder !== undefined && !(await isOpen(folder));
    if (this.locked) return;
    const asked = ++this.#asked;
    const check = await ask(playbooks().check(this.id, this.using));
    // What is typed meanwhile is checked again, and an earlier look that comes late is of another text.
    if (!this.#typed && asked === this.#asked) this.check = check ?? this.check;
  }

  /** To the hosts that its steps ask, for the text as it is. */
  async agree(yes: boolean): Promise<void> {
    await this.save();
    await ask(playbooks().agree(this.id, yes ? (this.check?.domains ?? []) : []));
    await this.checked();
  }

  /** To one piece of code, wherever it stands. */
  async agreeCode(sha256: string, yes: boolean): Promise<void> {
    await this.save();
    await ask(playbooks().agreeCode(this.id, sha256, yes));
    await this.checked();
  }

  async addFiles(files: readonly File[]): Promise<void> {
    const given = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    await ask(playbooks().addFiles(this.id, given));
    await this.#filesChanged();
  }

  /** From a gesture of the person. */
  async unlock(): Promise<void> {
    const folder = this.row?.folder;
    if (folder !== undefined && (await mayWrite(folder))) await this.checked();
  }

  async pickFolder(): Promise<void> {
    const folder = await pickFolder();
    if (folder !== null) await this.setFolder(folder);
  }

  async setFolder(folder: FileSystemDirectoryHandle | null): Promise<void> {
    await ask(playbooks().setFolder(this.id, folder));
    this.overwrite = false;
    await this.checked();
  }

  async removeFile(path: string): Promise<void> {
    await ask(playbooks().removeFile(this.id, path));
    await this.#filesChanged();
  }

  async #filesChanged(): Promise<void> {
    this.files = (await ask(playbooks().files(`book:${this.id}`))) ?? this.files;
    await this.checked();
  }

  /** @param wish `reuse`: the run whose units are taken over where they are the same, but for those of `again` */
  async run(wish: Pick<RunWish, 'limits' | 'reuse' | 'again' | 'step'>): Promise<void> {
    await this.save();
    const { id: book, using, overwrite } = this;
    await desk.run({ ...wish, book, with: using, parallel: null, overwrite });
  }
}
