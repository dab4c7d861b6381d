/** What the Video page is about: one opened folder, from its files to their new names. It stays when the page is left. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { answered } from '#core/result.ts';
import type { RenameOutcome, RenameProgress, UndoOutcome } from '#core/plan/rename-run.types.ts';
import { ask } from '#ui/client/workers.ts';
import { correctedRows, correctionOf, type Correction, type VideoRow } from './corrections.ts';
import { askFor, proxy, video, type Advice, type FolderRead, type FolderSource, type ReadAnswers } from '../client.ts';
import { ModelAdvice } from './model-advice.svelte.ts';
import { grouped } from './season-groups.ts';
import { RenameForm } from './rename-form.svelte.ts';

export type Stage = 'start' | 'reading' | 'recognise' | 'rename' | 'running' | 'ended';

/** What the last rename or undo came to. */
export type Ended =
  | { kind: 'rename'; outcome: RenameOutcome; planId: string | null; folder: string }
  | { kind: 'undo'; outcome: UndoOutcome; planId: string; folder: string };

class VideoDesk {
  stage = $state<Stage>('start');
  folder = $state.raw<FolderRead | null>(null);
  /** Files found so far, while the folder is read. */
  listed = $state(0);
  readonly corrections = new SvelteMap<string, Correction>();
  /** Paths of the rows that are chosen. */
  readonly selected = new SvelteSet<string>();
  /** Path of the row that is being corrected. */
  editing = $state<string | null>(null);
  progress = $state.raw<RenameProgress | null>(null);
  cancelling = $state(false);
  ended = $state.raw<Ended | null>(null);
  /** A question is being worked in. */
  rereading = $state(false);
  /** The browser asks the person whether the folder may be read or written to. */
  asking = $state(false);
  /** The folder that the person did not let be read or written to. */
  denied = $state<string | null>(null);
  answers = $state.raw<ReadAnswers>({});

  readonly rows: VideoRow[] = $derived(
    this.folder === null ? [] : correctedRows(this.folder.reading.files, this.corrections, this.folder.leftOut),
  );
  readonly groups = $derived(
    this.folder === null
      ? { seasons: [], companions: new Map<string, VideoRow[]>(), rest: [] }
      : grouped(this.rows, this.folder.reading),
  );
  /** Episode files that are taken in. */
  readonly taken: VideoRow[] = $derived(
    this.rows.filter((row) => row.class === 'episode' && !row.excluded && row.season !== null),
  );
  readonly form = new RenameForm();
  readonly advice = new ModelAdvice();
  #handle: FileSystemDirectoryHandle | null = null;

  async open(source: FolderSource): Promise<void> {
    if (this.stage === 'running' || this.stage === 'reading') return;
    this.denied = null;
    if (source.kind === 'handle' && !(await this.#asked(source.handle, 'read', source.handle.name))) return;
    const before = this.stage;
    this.stage = 'reading';
    this.listed = 0;
    const heard = proxy((files: number) => void (this.listed = files));
    const read = await ask(video().open(source, heard));
    if (read === null) {
      this.stage = before === 'ended' ? 'start' : before;
      return;
    }
    this.#handle = source.kind === 'handle' ? source.handle : null;
    this.answers = {};
    this.advice.clear();
    this.corrections.clear();
    this.#take(read);
    this.stage = 'recognise';
    this.ended = null;
  }

  /** The same folder as it is on the disk now. */
  async openAgain(): Promise<void> {
    if (this.#handle !== null) await this.open({ kind: 'handle', handle: this.#handle });
    else this.close();
  }

  /** What was corrected by hand stays; what a model was asked upon another reading does not. */
  async answer(answers: ReadAnswers): Promise<void> {
    this.advice.clear();
    await this.#answer(answers);
  }

  /** The model's advice is the person's word from here on. */
  async take(advice: Advice): Promise<void> {
    await this.advice.take(advice, {
      answer: (answers) => this.#answer(answers),
      correct: (path, correction) => this.correct(path, correction),
    });
  }

  async #answer(answers: ReadAnswers): Promise<boolean> {
    this.rereading = true;
    const next = { ...this.answers, ...answers };
    const read = await ask(video().read(next));
    this.rereading = false;
    if (read === null) return false;
    this.answers = next;
    this.#take(read);
    return true;
  }

  correct(path: string, correction: Correction): void {
    this.corrections.set(path, correction);
  }

  /** Back to what the app made of these files. */
  restore(paths: Iterable<string>): void {
    for (const path of paths) this.corrections.delete(path);
  }

  setExcluded(paths: Iterable<string>, excluded: boolean): void {
    const wanted = new Set(paths);
    const changed = this.rows.filter((row) => wanted.has(row.path));
    for (const row of changed) this.correct(row.path, { ...correctionOf(row), excluded });
  }

  select(paths: Iterable<string>, on: boolean): void {
    for (const path of paths) {
      if (on) this.selected.add(path);
      else this.selected.delete(path);
    }
  }

  async confirm(): Promise<void> {
    const included = this.rows.filter((row) => !row.excluded);
    if ((await ask(video().decide('completed', included))) === null || this.folder === null) return;
    this.advice.clear();
    this.stage = 'rename';
    this.form.begin(included, this.folder.reading.show, this.folder.name);
  }

  async reject(): Promise<void> {
    await ask(video().decide('rejected', []));
    this.close();
  }

  back(): void {
    this.stage = 'recognise';
  }

  close(): void {
    this.advice.clear();
    this.stage = 'start';
    this.folder = null;
    this.ended = null;
    this.#handle = null;
    this.corrections.clear();
    this.selected.clear();
  }

  /** Carries out what is shown. The browser asks the person first whether this page may write into the folder. */
  async rename(): Promise<void> {
    const shown = this.form.preview;
    if (shown === null || this.folder === null || this.#handle === null) return;
    if (!(await this.#asked(this.#handle, 'readwrite', this.folder.name))) return;
    const outcome = await this.#run((heard) => ask(video().rename(shown.hash, heard)), 'rename');
    if (outcome !== null) this.ended = { kind: 'rename', outcome, planId: shown.planId, folder: this.folder.name };
  }

  async undo(planId: string, handle: FileSystemDirectoryHandle, folder: string): Promise<void> {
    if (this.stage === 'running' || this.stage === 'reading') return;
    if (!(await this.#asked(handle, 'readwrite', folder))) return;
    const outcome = await this.#run((heard) => ask(video().undo(planId, heard)), 'start');
    this.#handle = handle;
    if (outcome !== null) this.ended = { kind: 'undo', outcome, planId, folder };
  }

  async undoLast(): Promise<void> {
    const last = this.ended;
    if (last?.planId != null && this.#handle !== null) await this.undo(last.planId, this.#handle, last.folder);
  }

  async cancel(): Promise<void> {
    this.cancelling = true;
    await video().cancel();
  }

  async #run<T>(
    work: (heard: (progress: RenameProgress) => void) => Promise<T | null>,
    otherwise: Stage,
  ): Promise<T | null> {
    this.stage = 'running';
    this.progress = null;
    this.cancelling = false;
    const outcome = await work(proxy((progress: RenameProgress) => void (this.progress = progress)));
    this.stage = outcome === null ? otherwise : 'ended';
    return outcome;
  }

  async #asked(handle: FileSystemDirectoryHandle, mode: 'read' | 'readwrite', folder: string): Promise<boolean> {
    this.asking = true;
    const granted = (await ask(answered(() => askFor(handle, mode)))) === true;
    this.asking = false;
    this.denied = granted ? null : folder;
    return granted;
  }

  #take(read: FolderRead): void {
    this.folder = read;
    this.selected.clear();
    this.editing = null;
  }
}

export const desk = new VideoDesk();
