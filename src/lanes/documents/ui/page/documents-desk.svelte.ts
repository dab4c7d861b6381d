/** What the Documents page is about: one opened folder or drop, from its files to what is written. It stays when the page is left. */
import { SvelteMap } from 'svelte/reactivity';
import { answered } from '#core/result.ts';
import type { UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { FolderDocument } from '#lanes/documents/core/folders/folder-document.ts';
import { ask } from '#ui/client/workers.ts';
import { evidenceWords } from './document-words.ts';
import { downloadBlob } from '#ui/parts/download.ts';
import { fetchReader } from '#ui/reader/fetch-reader.ts';
import type { Reading } from '#ui/reader/reading.ts';
import { settings } from '#ui/settings/settings.svelte.ts';
import {
  askFor,
  documents,
  proxy,
  sendSoon,
  type DocumentAction,
  type DocumentEvidence,
  type DocumentRow,
  type DocumentsApplied,
  type DocumentSource,
  type DocumentsPreview,
  type DocumentsProgress,
  type Identifier,
  type OpenedDocuments,
} from '../client.ts';

export type Stage = 'start' | 'decide' | 'running' | 'ended';
export type Ended =
  { kind: 'applied'; applied: DocumentsApplied } | { kind: 'undone'; outcome: UndoOutcome; planId: string };

class DocumentsDesk {
  stage = $state<Stage>('start');
  opened = $state.raw<OpenedDocuments | null>(null);
  /** By path, in the order in which they were read. */
  readonly rows = new SvelteMap<string, DocumentRow>();
  /** What the person decided, or what is sure; by path. What is not here is left as it is. */
  readonly decided = new SvelteMap<string, DocumentAction>();
  /** Path of the document whose details are shown. */
  current = $state<string | null>(null);
  /** What the person is about to give for the current one. */
  giving = $state<'doi' | 'isbn' | 'title' | null>(null);
  /** Documents are being read or looked up. */
  busy = $state(false);
  rename = $state(true);
  preview = $state.raw<DocumentsPreview | null>(null);
  progress = $state.raw<DocumentsProgress | null>(null);
  cancelling = $state(false);
  ended = $state.raw<Ended | null>(null);
  /** The browser asks the person whether the folder may be used; the folder that they did not let be used. */
  asking = $state(false);
  denied = $state<string | null>(null);
  /** The document in the reader, and what of it is outlined. */
  reading = $state.raw<Reading | null>(null);

  readonly list: DocumentRow[] = $derived([...this.rows.values()]);
  readonly read: number = $derived(this.list.filter(({ phase }) => phase === 'ready').length);
  readonly counts: Readonly<Record<DocumentAction, number>> = $derived.by(() => {
    const counts = { write: 0, skip: 0, remove: 0 };
    for (const action of this.decided.values()) counts[action]++;
    return counts;
  });
  #handle: FileSystemDirectoryHandle | null = null;
  #server = $state.raw<Extract<DocumentSource, { kind: 'server' }> | null>(null);
  /** What is open lies on the catalog server. */
  readonly isOnServer: boolean = $derived(this.#server !== null);
  #wanted = 0;
  /** Paths that the person decided about: what comes in later does not change that. */
  readonly #own = new Set<string>();

  get mayLookUp(): boolean | null {
    return settings.current.documents_look_up;
  }

  async open(source: DocumentSource): Promise<void> {
    if (this.stage === 'running') return;
    this.denied = null;
    if (source.kind === 'handle' && !(await this.#asked(source.handle, 'read'))) return;
    if (this.busy) await documents().cancel();
    this.#handle = source.kind === 'handle' ? source.handle : null;
    this.#server = source.kind === 'server' ? source : null;
    this.#clear();
    this.stage = 'decide';
    void fetchReader();
    const session = this.#session;
    const may = this.mayLookUp === true;
    const isThis = (): boolean => session === this.#session;
    await this.#work((heard) => {
      const opened = proxy((about: OpenedDocuments) => {
        if (!isThis()) return;
        this.opened = about;
        // The person said yes before the folder was there.
        if (!may && settings.current.documents_look_up === true) void this.lookUp();
      });
      return ask(documents().open(source, may, heard, opened));
    });
    if (isThis() && this.opened === null) this.stage = 'start';
  }

  async openAgain(): Promise<void> {
    if (this.#server !== null) await this.open(this.#server);
    else if (this.#handle === null) this.close();
    else await this.open({ kind: 'handle', handle: this.#handle });
  }

  /** The person said whether sources may be asked; what is open is looked up then. */
  async allow(may: boolean): Promise<void> {
    await settings.set('documents_look_up', may);
    if (may) await this.lookUp();
  }

  async lookUp(): Promise<void> {
    if (this.opened === null) return;
    await this.#work((heard) => ask(documents().lookUp(heard)));
  }

  async #work(work: (heard: (row: DocumentRow) => void) => Promise<unknown>): Promise<void> {
    const session = this.#session;
    this.#works++;
    this.busy = true;
    await work(proxy((row: DocumentRow) => void (session === this.#session && this.#take(row))));
    if (session !== this.#session || --this.#works > 0) return;
    this.busy = false;
    // What was cancelled in the middle of being asked stays as it was read.
    for (const row of this.list) if (row.phase !== 'ready') this.rows.set(row.path, { ...row, phase: 'ready' });
    await this.refresh();
  }
  /** Counts what was opened: what comes of something else that was open before is not shown. */
  #session = 0;
  /** Of this session, under way. */
  #works = 0;

  #take(row: DocumentRow): void {
    this.rows.set(row.path, row);
    if (row.phase !== 'ready' || this.#own.has(row.path)) return;
    // What is sure is proposed to be written; it can be changed until it is confirmed.
    const sure = row.proposal.sure === 'strong' && row.doubleOf === null && !row.done;
    if (sure) this.decided.set(row.path, 'write');
    else this.decided.delete(row.path);
    if (!this.busy) void this.refresh();
  }

  canWrite(row: DocumentRow): boolean {
    return row.phase === 'ready' && row.proposal.record !== null;
  }

  /** The same again takes it back. */
  decide(path: string, action: DocumentAction): void {
    const row = this.rows.get(path);
    if (row === undefined || row.phase !== 'ready' || row.id === '') return;
    if (action === 'write' && !this.canWrite(row)) return;
    this.#own.add(path);
    if (this.decided.get(path) === action) this.decided.delete(path);
    else this.decided.set(path, action);
    void this.refresh();
  }

  /** Everything sure is written, and nothing else: what a person decided otherwise stays. */
  async requery(path: string, identifier: Identifier): Promise<boolean> {
    const before = this.rows.get(path);
    if (before === undefined) return false;
    this.rows.set(path, { ...before, phase: 'looking' });
    const row = await ask(documents().requery(path, identifier, this.mayLookUp === true));
    this.#own.delete(path);
    this.#take(row ?? before);
    if (row === null) return false;
    this.giving = null;
    await this.refresh();
    return true;
  }

  /** Null: somebody has such documents, and they are shown; else why not, a sentence. */
  async findByTitle(path: string, title: string): Promise<string | null> {
    if (this.mayLookUp !== true) return 'Let records be looked up first: the question stands above the table.';
    const found = await documents().findByTitle(path, title, true);
    if (!found.ok) return found.failure.message;
    const { row, why } = found.value;
    this.rows.set(path, row);
    if (why === null) this.giving = null;
    return why;
  }

  /** Whether a model could be asked about it: several readings, or another title than the registered one. */
  isInDoubt({ phase, asked, choices, proposal }: DocumentRow): boolean {
    const isOpen = asked === null ? choices.length > 1 : proposal.record !== null;
    return phase === 'ready' && proposal.sure === 'unsure' && isOpen;
  }

  /** Asks the person's model. What it says is shown among the reasons, and decides nothing. */
  async advise(path: string): Promise<void> {
    const before = this.rows.get(path);
    if (before === undefined) return;
    this.rows.set(path, { ...before, phase: 'looking' });
    const row = await ask(documents().advise(path, this.mayLookUp === true));
    this.#take(row ?? before);
    await this.refresh();
  }

  /** False: it did not open with this password. */
  async unlock(path: string, password: string): Promise<boolean> {
    const before = this.rows.get(path);
    if (before === undefined) return false;
    this.rows.set(path, { ...before, phase: 'looking' });
    const unlocked = await documents().unlock(path, password, this.mayLookUp === true);
    this.#take(unlocked.ok ? unlocked.value : before);
    if (!unlocked.ok) return false;
    this.#passwords.set(path, password);
    await this.refresh();
    return true;
  }
  /** Of documents that were opened with one, for the reader; gone with the page. */
  readonly #passwords = new Map<string, string>();

  /** The newest wish wins; answers to older ones are thrown away. */
  async refresh(): Promise<void> {
    const mine = ++this.#wanted;
    if (this.opened === null) return;
    const decided = [...this.decided].map(([path, action]) => ({ path, action }));
    const preview = await ask(documents().preview({ decided, rename: this.rename }));
    if (mine === this.#wanted) this.preview = preview;
  }

  step(by: 1 | -1): void {
    const at = this.list.findIndex(({ path }) => path === this.current);
    const next = this.list[at < 0 ? (by > 0 ? 0 : this.list.length - 1) : at + by];
    if (next === undefined) return;
    this.show(next.path);
    document.getElementById(`document-${next.path}`)?.focus();
  }

  show(path: string | null): void {
    this.current = path;
    this.giving = null;
  }

  /** Opens at the evidence that is given, or at the first that stands on a page. */
  openReader(path: string, evidence?: DocumentEvidence): void {
    const first = this.rows.get(path)?.evidence.find(({ page, box }) => page !== null && box !== null);
    const shown = evidence ?? first ?? null;
    const about = shown === null ? null : { label: evidenceWords(shown), words: shown.words };
    const content = () => documents().content(path);
    const password = this.#passwords.get(path) ?? null;
    this.reading = { path, content, password, page: shown?.page ?? 1, box: shown?.box ?? null, about };
  }

  /** The PDF of a record of the catalog server. */
  openShared(name: string, sha256: string): void {
    const content = () => documents().sharedContent(sha256);
    this.reading = { path: name, content, page: 1, box: null, about: null };
  }

  /** Opens a PDF of a folder of the server in the reader, at its best evidence. */
  openServerFile(folder: string, { path, evidence }: FolderDocument): void {
    const seen = evidence.find((one) => one.page !== null);
    const content = () => documents().serverFolderContent(folder, path);
    this.reading = { path, content, page: seen?.page ?? 1, box: seen?.box ?? null, about: null };
  }

  /** Carries out what is shown. The browser asks the person first whether this page may write into the folder. */
  async apply(): Promise<void> {
    const shown = this.preview;
    if (shown === null) return;
    if (this.#handle !== null && !(await this.#asked(this.#handle, 'readwrite'))) return;
    const applied = await this.#run((heard) => ask(documents().apply(shown.hash, heard)), 'decide');
    if (applied === null) return;
    this.ended = { kind: 'applied', applied };
    if (applied.as === 'zip') downloadBlob(applied.name, applied.zip);
    void sendSoon();
  }

  async undo(planId: string, handle: FileSystemDirectoryHandle | null = this.#handle): Promise<void> {
    if (handle === null || this.stage === 'running' || !(await this.#asked(handle, 'readwrite'))) return;
    const outcome = await this.#run((heard) => ask(documents().undo(planId, heard)), 'start');
    this.#handle = handle;
    if (outcome !== null) this.ended = { kind: 'undone', outcome, planId };
    if (outcome !== null) void sendSoon();
  }

  /** A plan over a folder of the catalog server. */
  async undoOnServer(planId: string): Promise<void> {
    if (this.stage === 'running') return;
    const outcome = await this.#run(() => ask(documents().undoOnServer(planId)), 'start');
    if (outcome !== null) this.ended = { kind: 'undone', outcome, planId };
  }

  async cancel(): Promise<void> {
    this.cancelling = true;
    await documents().cancel();
  }

  close(): void {
    if (this.busy) void documents().cancel();
    this.#clear();
    this.#handle = null;
    this.#server = null;
    this.stage = 'start';
  }

  #clear(): void {
    this.#session++;
    this.#works = 0;
    this.opened = null;
    this.rows.clear();
    this.decided.clear();
    this.#passwords.clear();
    this.#own.clear();
    this.preview = null;
    this.ended = null;
    this.busy = false;
    this.show(null);
    this.reading = null;
  }

  async #run<T>(work: (heard: (progress: DocumentsProgress) => void) => Promise<T | null>, otherwise: Stage) {
    this.stage = 'running';
    this.progress = null;
    this.cancelling = false;
    const outcome = await work(proxy((progress: DocumentsProgress) => void (this.progress = progress)));
    this.stage = outcome === null ? otherwise : 'ended';
    return outcome;
  }

  async #asked(handle: FileSystemDirectoryHandle, mode: 'read' | 'readwrite'): Promise<boolean> {
    this.asking = true;
    const granted = (await ask(answered(() => askFor(handle, mode)))) === true;
    this.asking = false;
    this.denied = granted ? null : handle.name;
    return granted;
  }
}

export const desk = new DocumentsDesk();
