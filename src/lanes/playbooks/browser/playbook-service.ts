/** Playbooks of this browser: what their worker offers the pages. A run's files are copies of its playbook's, in a root of its own. */
import type { EnginePlaces } from 'virtual:toolbox-packs';
import { CancelSource } from '#core/cancel.ts';
import { commonDomains } from '#core/domains.ts';
import { toFailure } from '#core/errors.ts';
import { answered } from '#core/result.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import { namedTools } from '../core/check/tools.ts';
import { configKeys } from '../core/check/config-keys.ts';
import { prepare } from '../core/check/prepare.ts';
import { readPlaybook } from '../core/read/playbook.ts';
import { beginRun, resumeRun, type Begun } from '../core/run/begin.ts';
import type { Limits } from '../core/check/step-values.ts';
import { Answering } from './answering.ts';
import { agreedOf, bookOf, booksHere, changeBook, rootOfBook, rootOfRun, RUN_ROOT, valuesOf } from './books.ts';
import type { PlaybookModels } from '../core/run/ports.ts';
import { looksAtRuns } from './look-at-runs.ts';
import { ON_SERVER, type Answer, type PlaybookApi, type RunAnswer } from './playbook-api.types.ts';
import { filesOf, modelsFor, portsHere, type PlaybookMachine } from './run-here.ts';
import { RunStores } from './run-stores.ts';
import { RunsHere } from './runs-here.ts';
import { RunsShared, sharedClient, sharedRuns } from './runs-shared.ts';
import type { PlaybookRow, PlaybookRunRow } from './schema.ts';
import { isGone, noFile } from '../core/run/store-failures.ts';

/** How a run that is worked on is stopped. */
interface Steering {
  signal: CancelSource;
  pause: CancelSource;
}

/** Remembers which names were asked for, and what stands for them. */
function heardModels(models: PlaybookModels): { models: PlaybookModels; answers(): Answer[] } {
  const heard = new Map<string | null, string>();
  const nameOf = (name: string | null): string | null => {
    const model = models.nameOf(name);
    if (model !== null) heard.set(name, model);
    return model;
  };
  return { models: { ...models, nameOf }, answers: () => [...heard].map(([name, model]) => ({ name, model })) };
}

/** The tools that its steps name. */
const namedIn = (text: string): string[] =>
  (readPlaybook(text).playbook?.steps ?? []).flatMap((step) => namedTools(step));

const answerLine = (answers: readonly Answer[]): string =>
  answers.length === 0 ? 'none' : [...new Set(answers.map(({ model }) => model))].join(', ');

export function createPlaybookService(machine: PlaybookMachine): PlaybookApi {
  const { db, clock, ids } = machine;
  const stores = new RunStores(machine);
  const here = new RunsHere(machine, stores);
  const client = sharedClient(machine.server);
  const shared = new RunsShared(client, (text) => machine.sha256(text));
  const running = new Map<string, Steering>();
  const answering = new Answering();
  let places: EnginePlaces = {};
  let opened: Cage | null = null;
  const cage = (): Cage => (opened ??= machine.openCage(places));

  const agreedIn = (book: Pick<PlaybookRow, 'text' | 'agreed'>): Promise<readonly string[]> =>
    agreedOf(book, (text) => machine.sha256(text));

  /** Works on the run until it has an end, which its row then says. */
  async function work(run: string, begin: (steering: Steering) => Promise<Begun>): Promise<RunAnswer> {
    const steering = { signal: new CancelSource(), pause: new CancelSource() };
    running.set(run, steering);
    try {
      const begun = await begin(steering);
      if (begun.state === 'refused') return begun;
      const { state, error } = begun.end;
      await db.playbook_runs.update(run, { state: error?.code === 'paused' ? 'paused' : state });
      return { state: 'ended', run };
    } catch (error) {
      // It goes on when there is space; where not even this can be written, it says that it was cut off.
      if (toFailure(error).code === 'storage_full')
        await db.playbook_runs.update(run, { state: 'paused' }).catch(() => undefined);
      throw error;
    } finally {
      running.delete(run);
      answering.forget(run);
      await sweep(run);
    }
  }

  /** Of a run that was removed while it was worked on, in this tab or another, nothing stays that was written since. */
  function sweep(run: string): Promise<void> {
    return db.transaction('rw', db.playbook_runs, db.playbook_files, async () => {
      if ((await db.playbook_runs.get(run)) === undefined)
        await db.playbook_files.where('root').equals(rootOfRun(run)).delete();
    });
  }

  /** The state that it had. */
  function reopened(run: string): Promise<PlaybookRunRow['state']> {
    return db.transaction('rw', db.playbook_runs, async () => {
      const row = await db.playbook_runs.get(run);
      if (row === undefined) throw isGone('run');
      await db.playbook_runs.update(run, { state: 'open' });
      return row.state;
    });
  }

  const run: PlaybookApi['run'] = (wish, onBegun) =>
    answered(async () => {
      const book = await bookOf(db, wish.book);
      const { models: all } = await modelsFor(machine, book, wish.with, filesOf(machine, book, rootOfBook(book.id)));
      const { models, answers } = heardModels(all);
      const id = ids.next();
      const { folder } = book;
      const place = folder === undefined ? {} : { folder, journal: 'folder' as const };
      const given = folder === undefined ? await copyFiles(rootOfBook(book.id), rootOfRun(id)) : null;
      await db.playbook_runs.add({
        ...{ schema_version: 1, id, book: book.id, name: book.name, begun_at: clock.now(), state: 'open' },
        model: wish.with === 'settings' ? 'none' : wish.with,
        ...(given === null ? {} : { given }),
        ...place,
      });
      let kept = false;
      try {
        const agreed = await agreedIn(book);
        const answer = await work(id, async (steering) => {
          const overwrite = folder === undefined || wish.overwrite === true;
          const source = { playbook: book.text, config: valuesOf(book), set: {}, step: wish.step ?? {}, overwrite };
          const { limits, parallel, reuse, again = {} } = wish;
          // The page goes there as soon as something is asked: a run that is refused is none.
          const heard = (): void => {
            if (kept) return;
            kept = true;
            onBegun(id);
            if (wish.with === 'settings') void db.playbook_runs.update(id, { model: answerLine(answers()) });
          };
          const code = book.agreed_code ?? [];
          const reach = { cage: cage(), agreed, code, named: namedIn(book.text) };
          const files = filesOf(machine, book, rootOfRun(id));
          const heardHere = answering.heard(id, models);
          const ports = await portsHere(machine, files, heardHere, reach, { ...steering, said: heard });
          return beginRun(source, stores.at(place), ports, { id, seed: 1, limits, parallel, reuse, again });
        });
        kept = answer.state === 'ended';
        return answer;
      } finally {
        if (!kept) await forget(id);
      }
    });

  /** Their paths. */
  function copyFiles(from: string, to: string): Promise<string[]> {
    return db.transaction('rw', db.playbook_files, async () => {
      const rows = await db.playbook_files.where('root').equals(from).toArray();
      await db.playbook_files.bulkAdd(rows.map((row) => ({ ...row, root: to })));
      return [...new Set(rows.map(({ path }) => path))];
    });
  }

  async function resumed(id: string, limits: Limits): Promise<RunAnswer> {
    const row = await db.playbook_runs.get(id);
    if (row === undefined) throw isGone('run');
    const book = await db.playbook_books.get(row.book);
    const using = row.model === 'recorded' || row.model === 'recording' ? row.model : 'settings';
    const files = filesOf(machine, row, rootOfRun(id));
    const { models } = await modelsFor(machine, book ?? { shipped: null }, using, files);
    const now = book === undefined ? {} : { playbook: book.text, config: valuesOf(book) };
    const before = await reopened(id);
    // What another tab came to with it meanwhile stays.
    const takeBack = (): Promise<number> =>
      db.playbook_runs
        .where('id')
        .equals(id)
        .modify((now) => {
          if (now.state === 'open') now.state = before;
        });
    try {
      // Another text is refused; so is a run whose playbook is gone and that names hosts.
      const agreed = book === undefined ? [] : await agreedIn(book);
      const code = book?.agreed_code ?? [];
      const reach = { cage: cage(), agreed, code, named: namedIn((await here.past(id)).head.playbook) };
      const answer = await work(id, async (steering) =>
        resumeRun(id, stores.at(row), await portsHere(machine, files, answering.heard(id, models), reach, steering), {
          ...{ limits, parallel: null, ...now },
        }),
      );
      if (answer.state === 'refused') await takeBack();
      return answer;
    } catch (error) {
      await takeBack().catch(() => 0);
      throw error;
    }
  }

  async function forget(id: string): Promise<void> {
    // A folder that cannot be reached keeps what is in it.
    await (await stores.of(id)).remove(id).catch((error: unknown) => {
      if (toFailure(error).code !== 'file_unreadable') throw error;
    });
    await db.playbook_files.where('root').equals(rootOfRun(id)).delete();
    await db.playbook_runs.delete(id);
    here.forget(id);
  }

  return {
    engines: (of) => void (places = of),
    ...booksHere(machine),
    ...sharedRuns(machine, client),
    ...looksAtRuns((run) =>
      run.startsWith(ON_SERVER) ? { place: shared, id: run.slice(ON_SERVER.length) } : { place: here, id: run },
    ),
    check: (id, using) =>
      answered(async () => {
        const book = await bookOf(db, id);
        const files = filesOf(machine, book, rootOfBook(id));
        const { models: all, isSet } = await modelsFor(machine, book, using, files);
        // Whether files of a folder may be overwritten is said where a run is begun.
        const source = { playbook: book.text, config: valuesOf(book), set: {}, overwrite: true };
        // That none is set up is said beside the faults: the text is no less right for it.
        const { models, answers } = heardModels(isSet ? all : { ...all, nameOf: () => 'none' });
        const agreed = await agreedIn(book);
        const reach = { cage: cage(), agreed, code: book.agreed_code ?? [], named: namedIn(book.text) };
        const ports = await portsHere(machine, files, models, reach);
        const { faults, notes, estimate, domains, code } = await prepare(source, ports);
        const steps = readPlaybook(book.text).playbook?.steps ?? [];
        const asksNone = steps.length > 0 && steps.every(({ raw }) => raw['tool'] !== undefined);
        const model = isSet || asksNone ? answerLine(answers()) : null;
        const names = steps.map(({ name }) => name);
        return {
          ...{ faults, notes, estimate, keys: configKeys(book.text), steps: names, answers: answers(), model, domains },
          ...{ agreed: commonDomains(domains, agreed).length === domains.length, code },
        };
      }),
    agree: (id, domains) =>
      answered(async () => {
        const { text } = await bookOf(db, id);
        await db.playbook_books.update(id, { agreed: { sha256: await machine.sha256(text), domains: [...domains] } });
        return null;
      }),
    agreeCode: (id, sha256, yes) =>
      answered(async () => {
        await changeBook(db, id, (row) => {
          const others = (row.agreed_code ?? []).filter((one) => one !== sha256);
          return { ...row, agreed_code: yes ? [...others, sha256] : others };
        });
        return null;
      }),
    run,
    resume: (id, limits) => answered(() => resumed(id, limits)),
    cancel: (id) => running.get(id)?.signal.abort(),
    pause: (id) => running.get(id)?.pause.abort(),
    answering: (id) => Promise.resolve(answering.of(id)),
    file: (root, path) =>
      answered(async () => {
        const run = root.startsWith(RUN_ROOT) ? await db.playbook_runs.get(root.slice(RUN_ROOT.length)) : undefined;
        const text = (await filesOf(machine, run ?? {}, root).read(path))?.text ?? null;
        if (text === null) throw noFile(path);
        return text;
      }),
    removeRun: (id) =>
      answered(async () => {
        running.get(id)?.signal.abort();
        await forget(id);
        return null;
      }),
  };
}
