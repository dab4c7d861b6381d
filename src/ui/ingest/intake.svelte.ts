import type { DropContext, DroppedFile } from '#adapters/browser/api.ts';
import { failure } from '#core/errors.ts';
import type { Companion } from '#core/job/job.ts';
import { BUNDLE_HEAD_BYTES, isBundleHead } from '#core/sync/bundle-head.ts';
import { databaseOpened, noteDropRow } from '../client/db.ts';
import { ask, pipeline, stage } from '../client/workers.ts';
import { plural } from '../parts/words.ts';
import { serverFacts } from '../shell/server-facts.svelte.ts';
import { toasts } from '../parts/toasts.svelte.ts';

/** A note that is not written by then is not waited for, milliseconds. */
const NOTED_MS = 1000;
const timeout = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Files that go to the worker in one task of the page. */
const AT_ONCE = 50;

/** Takes a drop in, in parts where it has many files. */
async function stageAll(
  files: readonly DroppedFile[],
  context: DropContext,
  label: string | undefined,
  apart: Companion[],
) {
  if (files.length <= AT_ONCE) return ask(stage().stage([...files], context, label, false, apart));
  const drop = crypto.randomUUID();
  for (let at = 0; at < files.length; at += AT_ONCE)
    if ((await ask(stage().hand(drop, files.slice(at, at + AT_ONCE)))) === null) return null;
  return ask(stage().stageHanded(drop, context, label, apart));
}

/** A file that cannot be read is no bundle: that it cannot is said where files are taken in. */
async function isBundle(file: Blob): Promise<boolean> {
  const head = await file
    .slice(0, BUNDLE_HEAD_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  return isBundleHead(new Uint8Array(head));
}

/** Taking files in, whichever way they come; the context holds for the next drop. */
class Intake {
  context = $state<DropContext>({ type: 'SPONTANEOUS', id: null });
  /** Drops that are not yet a batch row. */
  taking = $state(0);

  /** Answers whether everything is a job or a failed row now. */
  async take(
    files: DroppedFile[],
    label?: string,
    /** Folders of the drop that the browser opened. */
    folders: readonly FileSystemDirectoryHandle[] = [],
  ): Promise<boolean> {
    if (files.length === 0) return true;
    // First of all, and shown behind it: what a person sees taken is named, whatever becomes of the browser.
    const note = noteDropRow(files.map(({ path }) => path));
    await Promise.race([note.written, timeout(NOTED_MS)]);
    this.taking++;
    try {
      await databaseOpened;
      const others = await this.#takeBundles(files);
      // Without that part of the app all is taken in here.
      const { rest, apart, sent } = await import('./sent-parts.svelte.ts')
        .then(({ sentParts }) => sentParts.send(others, folders))
        .catch(() => ({ rest: others, apart: [], sent: [] }));
      return await this.#takeRest(rest, { apart, sent }, label);
    } finally {
      this.taking--;
      void note.forget();
    }
  }

  /** Takes files in as files of an album, whatever lane would read them. */
  async takeAsJobs(files: readonly DroppedFile[]): Promise<void> {
    this.taking++;
    try {
      await this.#takeRest(files, { apart: [], sent: [] });
    } finally {
      this.taking--;
    }
  }

  async #takeRest(
    rest: readonly DroppedFile[],
    { apart, sent }: { apart: Companion[]; sent: readonly string[] },
    label?: string,
  ): Promise<boolean> {
    if (rest.length + apart.length === 0) return true;
    void navigator.storage?.persist?.();
    void serverFacts.noteDrop();
    const context = $state.snapshot(this.context);
    const staged = await stageAll(rest, context, label, apart);
    if (staged !== null)
      await import('./sent-parts.svelte.ts').then(
        ({ sentParts }) => sentParts.inBatch(staged.batch_id, sent),
        () => undefined,
      );
    return staged !== null;
  }

  /** Results that another workstation exported go to the outbox; answers the other files. */
  async #takeBundles(files: DroppedFile[]): Promise<DroppedFile[]> {
    const rest: DroppedFile[] = [];
    for (const dropped of files) {
      const bundle = dropped.path.endsWith('.zip') && (await isBundle(dropped.file));
      if (!bundle) rest.push(dropped);
      else {
        const imported = await ask(pipeline().importBundle(dropped.file));
        if (imported === null) continue;
        const { original_filename: name, known } = imported;
        toasts.say(known ? `"${name}" is known here already` : `Taken over: "${name}" waits to be published`);
      }
    }
    return rest;
  }

  /** What a folder held but the browser would not open. */
  sayUnreadable(paths: readonly string[]): void {
    const [first] = paths;
    if (first === undefined) return;
    const more = paths.length === 1 ? '' : ` and ${plural(paths.length - 1, 'more file')}`;
    toasts.fail(failure('file_unreadable', `"${first}"${more} could not be read.`, { subject: first }));
  }

  async tryIt(requestId: string): Promise<void> {
    this.taking++;
    try {
      await ask(stage().tryIt(requestId));
    } finally {
      this.taking--;
    }
  }
}

export const intake = new Intake();
