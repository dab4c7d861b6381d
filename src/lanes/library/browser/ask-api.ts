/** Questions of this browser: each run in the worker, its transcript in IndexedDB, entry by entry. */
import type { ModelOpener } from '#adapters/browser/llm/model-opener.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { EnginePlaces } from 'virtual:toolbox-packs';
import { raisedIn, type Cage } from '#core/toolbox/cage.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { sha256, wait } from '#adapters/llm/executor-ports.ts';
import { CancelSource } from '#core/cancel.ts';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { answered } from '#core/result.ts';
import type { Answer } from '#lanes/library/core/ask/answer/answer.types.ts';
import { stateOf } from '#lanes/library/core/ask/run/fold.ts';
import { askOptions } from '#lanes/library/core/ask/run/options.ts';
import { replay } from '#lanes/library/core/ask/run/replay.ts';
import { answerIn, mayTakeUp, runAsk, startAsk, type AskPorts } from '#lanes/library/core/ask/run/run-ask.ts';
import { readLines, runOf, toJsonLines, type AskRun } from '#lanes/library/core/ask/run/transcript.ts';
import { evidencePieces, placesIn, type AskedFolders } from './ask-evidence.ts';
import { serverWeb } from './server-web.ts';
import type { AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import type { Passage } from '#lanes/library/core/search/passage.types.ts';
import type { SearchOptions } from '#lanes/library/core/search/search.ts';
import type { AskProgress, AskWish, LibraryApi } from './library-api.types.ts';
import { keptTools } from './tools-api.ts';
import { mayAskModel } from './model-choice.ts';
import type { LibraryAskRow } from './schema.ts';

/** Where tools of the toolbox compute. */
export interface ToolboxPlace {
  /** Its engines are fetched when they are first used. */
  openCage(places: EnginePlaces): Cage;
  /** How connectors ask. */
  net: Net;
  /** Connectors that the server's operator declared; absent: none. */
  declared?(): Promise<readonly ConnectorTool[]>;
}

export type AskModels = () => Promise<ModelOpener>;

export interface AskUsing {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  models: AskModels;
  server: () => Promise<HttpOptions>;
  toolbox: ToolboxPlace;
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

type Asking =
  'askEngines' | 'ask' | 'goOn' | 'stopAsking' | 'forgetAsked' | 'askTranscript' | 'askEvidence' | 'playBack';

/** How often the pages hear of progress, milliseconds. */
const REPORT_MS = 80;

export interface AskLibrary {
  /** All folders as one index. */
  open(): Promise<AskedFolders>;
  /** Null where there are no vectors of the model of the settings, or no model. */
  byMeaning(profile: 'vector' | 'hybrid', query: string, options: SearchOptions): Promise<Passage[] | null>;
}

export function askApi(using: AskUsing, { open, byMeaning }: AskLibrary): Pick<LibraryApi, Asking> {
  const { db, clock, ids, toolbox } = using;
  let places: EnginePlaces = {};
  let opened: Cage | null = null;
  const cage = (): Cage => (opened ??= toolbox.openCage(places));
  const running = new Map<string, CancelSource>();
  const evidence = evidencePieces(db, linesOf, open);

  async function linesOf(run: string): Promise<string> {
    return (await db.library_ask_lines.where('run').equals(run).sortBy('n')).map(({ text }) => text).join('');
  }

  /** What a run needs, over the folders that are asked. */
  async function portsFor(
    row: Pick<LibraryAskRow, 'id' | 'folders'>,
    tools: readonly string[],
    provider: LlmProvider | null,
    timeoutMs: number,
    signal: CancelSource,
    onProgress: (progress: AskProgress) => void,
  ): Promise<{ ports: AskPorts; all: AskedFolders }> {
    const all = await open();
    let n = await db.library_ask_lines.where('run').equals(row.id).count();
    let said = -Infinity;
    const { folders } = row;
    const allows: AskPorts['context']['allows'] = ({ segment }) => folders.includes(all.folders[segment]?.id ?? '');
    const chosen = folders.length === 0 ? {} : { allows };
    const { tools: kept } = await keptTools(db);
    const known = await withToolbox(kept, tools, toolbox);
    const reaches = kept.some(({ tool, network }) => network === true && tools.includes(tool.name));
    const web = reaches ? await serverWeb(await using.server()) : null;
    const raised = raisedIn(await readSettings(db));
    const ports: AskPorts = {
      provider,
      context: {
        ...{ index: all.index, ...chosen, ...(web === null ? {} : { web }) },
        toolbox: new ToolboxRun({ cage: cage(), net: toolbox.net, domains: [], raised }),
        byMeaning: (profile, query, k) => byMeaning(profile, query, { k, ...chosen }),
      },
      tools: known,
      library: folders.length === 0 ? 'all' : [...folders].sort().join(' '),
      clock,
      sha256,
      wait: (milliseconds, stop) => wait(using.timers, milliseconds, stop),
      transcript: {
        async append(text) {
          await db.transaction('rw', db.library_asks, db.library_ask_lines, async () => {
            // It was forgotten meanwhile, in this tab or another: nothing of it is written any more.
            if ((await db.library_asks.where('id').equals(row.id).count()) === 0)
              throw failed('cancelled', 'This question was forgotten.');
            await db.library_ask_lines.put({ run: row.id, n, text });
          });
          n += 1;
        },
      },
      price: { in: 0, out: 0 },
      timeoutMs,
      signal,
      onStep(run) {
        if (clock.now() - said < REPORT_MS && run.state.type !== 'Completed') return;
        said = clock.now();
        onProgress(progressOf(run));
      },
    };
    return { ports, all };
  }

  async function work(
    row: LibraryAskRow,
    tools: readonly string[],
    onProgress: (progress: AskProgress) => void,
    begin: (ports: AskPorts) => Promise<AskRun>,
  ): Promise<string> {
    const cancel = new CancelSource();
    running.set(row.id, cancel);
    try {
      const model = row.model === null ? null : await openModel(cancel);
      const { ports, all } = await portsFor(
        row,
        tools,
        model?.provider ?? null,
        model?.timeoutMs ?? 300_000,
        cancel,
        onProgress,
      );
      const run = await begin(ports);
      const end = await runAsk(run, ports, run.journal.length);
      const answer = answerIn(end);
      if (end.state.type === 'Failed') throw new AccessionError(end.state.failure);
      if (answer !== null) {
        const places = placesIn(all, row.folders, sourcesOf(answer));
        await db.library_asks.update(row.id, { status: answer.status, answer, places });
      }
    } catch (thrown) {
      await db.library_asks.update(row.id, { status: 'failed', why: toFailure(thrown).message });
      throw thrown;
    } finally {
      running.delete(row.id);
    }
    return row.id;
  }

  async function openModel(signal: CancelSource): Promise<{ provider: LlmProvider; timeoutMs: number } | null> {
    const model = await (await using.models()).model();
    if (model === null) return null;
    const opened = await model.open(signal);
    if (!opened.ok) throw new AccessionError(opened.failure);
    return { provider: opened.value, timeoutMs: model.options.timeoutMs };
  }

  return {
    askEngines: (of) => void (places = of),
    ask: (wish, onBegun, onProgress) =>
      answered(async () => {
        const { question, task, after, folders } = wish;
        const model = wish.model ? await (await using.models()).model() : null;
        const settings = await readSettings(db);
        const asked = model !== null && mayAskModel(settings) ? `${model.provider}/${model.model}` : null;
        const row: LibraryAskRow = {
          ...{ id: ids.next(), question: question.trim(), task, after, folders: [...folders], asked_at: clock.now() },
          ...{ status: 'open', model: asked, why: null, answer: null, places: {} },
          how: { profile: wish.profile, tools: [...wish.tools], domains: [...wish.domains] },
        };
        if (row.question === '') throw failed('invalid', 'The question is empty.');
        await db.library_asks.put(row);
        onBegun(row.id);
        return using.alone(`ask ${row.id}`, () =>
          work(row, wish.tools, onProgress, (ports) =>
            Promise.resolve(startAsk({ question, task, after, options: optionsOf(wish) }, ports, row.id)),
          ),
        );
      }),
    goOn: (id, onProgress) =>
      answered(() =>
        // What is there is read when nobody works on it any more: another tab may have come to the answer.
        using.alone(`ask ${id}`, async () => {
          const row = await db.library_asks.get(id);
          if (row === undefined) throw failed('not_found', 'There is no such question any more.');
          const { run } = runOf(readLines(await linesOf(id)));
          if (row.answer !== null && run.state.type === 'Completed') return id;
          const { allow } = run.input.options.tools;
          return work({ ...row, status: 'open' }, allow, onProgress, (ports) => {
            mayTakeUp(run, null, ports);
            return Promise.resolve(run);
          });
        }),
      ),
    stopAsking: (id) => running.get(id)?.abort(),
    forgetAsked: (id) =>
      answered(async () => {
        running.get(id)?.abort();
        await db.transaction('rw', db.library_asks, db.library_ask_lines, async () => {
          await db.library_asks.delete(id);
          await db.library_ask_lines.where('run').equals(id).delete();
        });
      }),
    askTranscript: (id) => answered(() => linesOf(id)),
    askEvidence: (id, from) => answered(() => evidence.piece(id, from)),
    playBack: (text) =>
      answered(async () => {
        const lines = readLines(text);
        const { run } = runOf(lines);
        const { tools: kept } = await keptTools(db);
        const answer = replay(lines, await withToolbox(kept, run.input.options.tools.allow, toolbox));
        const places = placesIn(await open(), [], sourcesOf(answer));
        const { question, task, after = null } = run.input;
        const row: LibraryAskRow = {
          ...{ id: ids.next(), question, task, after, folders: [], asked_at: clock.now(), status: answer.status },
          ...{ model: run.model === 'none' ? null : run.model, played: true, why: null, answer, places },
        };
        await db.transaction('rw', db.library_asks, db.library_ask_lines, async () => {
          await db.library_asks.put(row);
          await db.library_ask_lines.put({ run: row.id, n: 0, text: toJsonLines(lines) });
        });
        return row.id;
      }),
  };
}

const optionsOf = ({ profile, iterations, tools, domains }: AskWish) =>
  askOptions({
    from: 'the page',
    block: {
      enabled: true,
      iterations,
      retriever: { profile },
      tools: ['rag_retrieve', ...tools],
      domains: [...domains],
    },
  });

function progressOf({ journal, spent }: AskRun): AskProgress {
  const state = stateOf(journal);
  return {
    phase: state.phase,
    iteration: state.iteration,
    parts: state.subquestions.map(({ text }) => text),
    sources: state.evidence.map(({ source_id, title, path, spans }) => ({
      source_id,
      title,
      path,
      passages: spans.length,
    })),
    calls: journal.filter(({ kind }) => kind === 'tool_started').length,
    tokens: spent.tokens_in + spent.tokens_out,
    milliseconds: spent.milliseconds,
  };
}

/** Tools that every question has. */
const OF_ASK: readonly string[] = ['rag_retrieve', 'web_search'];

const sourcesOf = ({ citations, nearest }: Answer): Set<string> =>
  new Set([...citations, ...nearest].map((one) => one.source_id));

/**
 * With those of the toolbox, where one of them may be called: they are not kept for a start without a network. A person's own
 * tool of the same name goes before.
 */
async function withToolbox(
  kept: readonly AskTool[],
  allowed: readonly string[],
  { declared }: Pick<ToolboxPlace, 'declared'>,
): Promise<readonly AskTool[]> {
  if (allowed.every((name) => OF_ASK.includes(name) || kept.some(({ tool }) => tool.name === name))) return kept;
  const [{ toolboxTools }, { CONNECTORS }] = await Promise.all([
    import('#lanes/library/core/ask/tools/toolbox/toolbox-tools.ts'),
    import('#core/toolbox/connectors/connectors.ts'),
  ]);
  const names = new Set(kept.map(({ tool }) => tool.name));
  const box = toolboxTools(CONNECTORS).filter(({ tool }) => !names.has(tool.name));
  const known = new Set([...OF_ASK, ...names, ...box.map(({ tool }) => tool.name)]);
  // The server is asked only where a question may use what is none of ours.
  if (declared === undefined || allowed.every((name) => known.has(name))) return [...kept, ...box];
  const more = (await declared()).filter(({ name }) => !known.has(name));
  return [...kept, ...box, ...toolboxTools(more).filter(({ tool }) => !known.has(tool.name))];
}
