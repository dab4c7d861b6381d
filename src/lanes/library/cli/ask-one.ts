/** `accession ask QUESTION`: one question to the library of a folder, answered in a run that can be taken up again. */
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { INTERRUPTED, type CliFrame } from '#cli/lane-cli.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failed, isCode } from '#core/errors.ts';
import { readConfigFile } from '#server/config-file.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { answerAsText } from '#lanes/library/core/ask/run/answer-text.ts';
import { metricsOf } from '#lanes/library/core/ask/run/metrics.ts';
import { askOptions, type AskOptions } from '#lanes/library/core/ask/run/options.ts';
import { replay } from '#lanes/library/core/ask/run/replay.ts';
import { answerIn, mayTakeUp, runAsk, startAsk, type AskPorts } from '#lanes/library/core/ask/run/run-ask.ts';
import { readLines, runOf, type AskRun } from '#lanes/library/core/ask/run/transcript.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import {
  newTranscript,
  resumedTranscript,
  transcriptName,
  transcriptText,
  type TranscriptFile,
} from '#lanes/library/node/transcript-file.ts';
import { openToolbox } from '#lanes/library/node/toolbox.ts';
import { openReach, type ReachFlags } from './ask-reach.ts';
import { toolsOfFolders } from '#lanes/library/node/tool-folder.ts';
import { toolboxTools } from '#lanes/library/core/ask/tools/toolbox/toolbox-tools.ts';
import { currentLibrary } from './current-library.ts';
import { blockOf, type AskFlags } from './ask-flags.ts';
import type { ModelFlags } from './model-flags.ts';
import { webOf } from './web-of.ts';

export interface AskOneFlags extends AskFlags, ModelFlags, ReachFlags {
  library?: string;
  task?: string;
  config?: string;
  json?: boolean;
  transcript?: string;
  resume?: string;
  replay?: string;
  toolsDir?: string;
  price?: string;
}

export interface AskOneFrame extends Pick<CliFrame, 'say' | 'openModel'> {
  data: string;
  signal: CancelSignal;
}

/** Exit code: 0, or that of a process that was interrupted. */
export async function askOne(question: string | null, flags: AskOneFlags, frame: AskOneFrame): Promise<number> {
  const { data, say, signal } = frame;
  const reach = await openReach(flags, data);
  const tools = [...(await toolsOfFolders(join(data, 'tools'), flags.toolsDir)), ...toolboxTools(reach.tools)];
  if (flags.replay !== undefined) {
    const answer = replay(readLines(await transcriptText(flags.replay)), tools);
    say(flags.json === true ? JSON.stringify(answer) : answerAsText(answer));
    return 0;
  }
  if (question === null && flags.resume === undefined)
    throw failed('invalid', 'Say the question.', { remedy: 'accession ask "WHEN DOES IT CLOSE?" --library DIR' });
  if (flags.library === undefined)
    throw failed('invalid', 'Say which folder is asked.', { remedy: 'Add --library DIR.' });
  if (flags.provider === undefined && (flags.model !== undefined || flags.baseUrl !== undefined))
    throw failed('invalid', `${flags.model === undefined ? '--base-url' : '--model'} needs --provider.`, {
      remedy: 'Say whose model it is: --provider ollama, or openai.',
    });
  const options = await optionsOf(flags, data);
  const price = priceOf(flags.price);

  const library = resolve(flags.library);
  const model =
    flags.provider === undefined ? null : await frame.openModel({ ...modelOf(flags), provider: flags.provider }, {});
  let file: TranscriptFile | null = null;
  const toolbox = openToolbox(reach);
  try {
    const ports: AskPorts = {
      provider: model?.provider ?? null,
      // Put in its place below: what is refused is refused before the folder is read.
      context: { index: new LibraryIndex([]) },
      tools,
      library: `${library.split('/').at(-1) ?? ''} ${createHash('sha256').update(library).digest('hex').slice(0, 12)}`,
      clock: { now: () => Date.now() },
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait,
      transcript: { append: (text) => file?.append(text) ?? Promise.resolve() },
      price,
      timeoutMs: 300_000,
      signal,
    };
    let run: AskRun;
    let written = 0;
    const open = async (): Promise<void> => {
      const index = await currentLibrary({ library, data, cancel: signal });
      ports.context = { index, web: await webOf(data), toolbox: toolbox.run };
    };
    if (flags.resume === undefined) {
      run = startAsk({ question: question ?? '', task: flags.task ?? null, options }, ports, randomUUID());
      await open();
      if (options.transcripts.keep || flags.transcript !== undefined)
        file = await newTranscript(pathFor(run, flags, data));
    } else {
      const resumed = await resumedTranscript(flags.resume);
      file = resumed.file;
      ({ run } = runOf(readLines(resumed.text)));
      mayTakeUp(run, question, ports);
      written = run.journal.length;
      await open();
    }
    const end = await runAsk(run, ports, written);
    const answer = answerIn(end);
    if (end.state.type === 'Failed') throw failed('internal', end.state.error);
    if (answer === null) {
      say(
        file === null
          ? 'stopped'
          : `stopped; go on with: accession ask --resume ${file.path} --library ${flags.library}`,
      );
      return INTERRUPTED;
    }
    const metrics = metricsOf(end);
    await file?.writeMetrics(metrics);
    if (flags.json === true)
      say(JSON.stringify({ question: end.input.question, ...answer, metrics, transcript: file?.path ?? null }));
    else {
      say(answerAsText(answer));
      if (file !== null) say(`\ntranscript: ${file.path}`);
    }
    return 0;
  } finally {
    toolbox.close();
    await file?.close();
    await model?.close();
  }
}

function pathFor({ input, started_at }: AskRun, { transcript }: AskOneFlags, data: string): string {
  if (transcript !== undefined) return resolve(transcript);
  return join(resolve(data, input.options.transcripts.dir), transcriptName(input.question, started_at));
}

const modelOf = ({ model, baseUrl, context, cassette }: ModelFlags & { cassette?: string }) => ({
  context: Number(context),
  ...(model === undefined ? {} : { model }),
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(cassette === undefined ? {} : { cassette }),
});

/** Flags over the configuration file over `[ask]` in accession.toml over the defaults. */
async function optionsOf(flags: AskOneFlags, data: string): Promise<AskOptions> {
  const { ask, path } = await readConfigFile(process.env, data);
  const file = flags.config === undefined ? null : agentBlock(await textOf(flags.config), flags.config);
  return askOptions(
    { from: `${path ?? 'accession.toml'} [ask]`, block: ask },
    { from: flags.config ?? '', block: file },
    { from: 'the command line', block: blockOf(flags) },
  );
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw failed('not_found', `There is no file "${path}".`);
    throw error;
  }
}

/** `agent:` of a configuration file. */
function agentBlock(text: string, path: string): unknown {
  let read: unknown;
  try {
    read = parse(text, { maxAliasCount: 20, schema: 'core' });
  } catch (error) {
    throw failed(
      'invalid',
      `${path} is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      { cause: error },
    );
  }
  if (read === null) return null;
  if (!isRecord(read) || Object.keys(read).some((key) => key !== 'agent'))
    throw failed('invalid', `${path} must have one key, "agent".`);
  return read['agent'];
}

function priceOf(text: string | undefined): { in: number; out: number } {
  if (text === undefined) return { in: 0, out: 0 };
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text.trim());
  if (match === null)
    throw failed('invalid', '--price is two numbers with a comma between: US dollars for a million tokens in and out.');
  return { in: Number(match[1]), out: Number(match[2]) };
}

async function wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  if (signal?.aborted) return;
  signal?.addEventListener('abort', onAbort);
  await sleep(milliseconds, undefined, { signal: stop.signal, ref: true }).catch(() => undefined);
  signal?.removeEventListener('abort', onAbort);
}
