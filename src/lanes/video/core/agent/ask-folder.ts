/** The agent over one folder: every doubt of its reading, one after the other, each answer checked before the next. */
import { RECORDED } from '#core/agent/llm/providers.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { DEFAULT_LIMITS, type ExecutorOptions, type ExecutorPorts } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import { pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { Strategy, Workflow } from '#core/agent/workflow/workflow.ts';
import type { Failure } from '#core/errors.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import type { Ids } from '#core/ports.ts';
import type { FolderReading } from '../folder-reading.ts';
import { readFolder } from '../folder/read-folder.ts';
import { checkAnswer, isUnnumbered, makeDoubts } from './make-doubts.ts';
import { folderWorkflow } from './definition.ts';
import type { FolderAction, FolderDoubt, FolderInput } from './doubt.ts';
import type { VideoToolContext } from './video-tools.ts';

/** Doubts of one folder that a model is asked about: two questions and a few files. */
const MOST_DOUBTS = 6;
/** Of one doubt: less than a music doubt has, the options are all there. */
export const FOLDER_LIMITS = { ...DEFAULT_LIMITS, iterations: 8, tokens: 30_000, wallMs: 120_000 };

export interface AskedDoubt {
  doubt: FolderDoubt;
  /** Null where the agent left it to the person, or stopped. */
  answer: FolderAction | null;
  /** The model's short why, or the sentence that says why it stopped. */
  why: string;
  /** Why the answer does not hold; null where it does, or there is none. */
  refused: string | null;
  workflow: Workflow<FolderDoubt, FolderAction>;
}

export interface AskedFolder {
  /** With what held. */
  reading: FolderReading;
  asked: AskedDoubt[];
  /** One sentence for each file that an answer is about, by its path below the folder. */
  said: Map<string, string>;
}

export interface AskPorts {
  executor: Omit<ExecutorPorts<VideoToolContext>, 'save' | 'perform'>;
  options: Omit<ExecutorOptions, 'limits'>;
  ids: Ids;
  strategy: 'auto' | Strategy;
  /** Of the option orders. */
  seed: number;
  /** Called before each doubt is put to the model; `at` counts from 1. */
  asking?: (doubt: FolderDoubt, at: number) => void;
}

/**
 * Reads the folder, asks about what that leaves open, and reads it again with the answers that hold. A model that failed
 * at one doubt is asked no more: whoever waits would wait for each of them.
 */
export async function askAboutFolder(input: FolderInput, ports: AskPorts): Promise<AskedFolder> {
  let current = input;
  let reading = read(current);
  const asked: AskedDoubt[] = [];
  const said = new Map<string, string>();
  const placed: { path: string; season: number; episode: number; confidence: number }[] = [];
  const done = new Set<string>();
  while (asked.length < MOST_DOUBTS && !ports.executor.signal?.aborted) {
    const doubt = makeDoubts(current, reading).find(({ key }) => !done.has(key));
    if (doubt === undefined) break;
    done.add(doubt.key);
    ports.asking?.(doubt, done.size);
    const one = await askOne(doubt, ports);
    const checked = one.answer === null ? null : checkAnswer(current, reading, doubt, one.answer);
    asked.push({ ...one, refused: checked?.holds === false ? checked.why : null });
    if (failureOf(one.workflow) !== null) break;
    const label = doubt.options.find(({ id }) => id === one.answer?.option_id)?.label ?? '';
    const model = ports.executor.provider.model;
    const words = `The model ${model} says "${label}": ${one.why}`.slice(0, 400);
    if (checked?.holds !== true) {
      if (checked) for (const path of pathsOf(doubt)) said.set(path, `${words} This does not hold: ${checked.why}`);
      continue;
    }
    for (const path of pathsOf(doubt)) said.set(path, words);
    if ('answers' in checked) current = { ...current, answers: checked.answers };
    else placed.push(checked);
    reading = withPlaced(read(current), placed);
  }
  return { reading, asked, said };
}

function read({ mediaFolderPath, files, shows, answers }: FolderInput): FolderReading {
  return readFolder(files, { folderName: lastPart(mediaFolderPath), shows, answers });
}

/** VIDEO-75 a file that the agent placed is never surer than the likeness of its title allows. */
function withPlaced(
  reading: FolderReading,
  placed: readonly { path: string; season: number; episode: number; confidence: number }[],
): FolderReading {
  const files = reading.files.map((file) => {
    const place = placed.find(({ path }) => path === file.path);
    if (place === undefined || !isUnnumbered(file)) return file;
    const { season, episode, confidence } = place;
    return { ...file, class: 'episode' as const, season, episodes: [episode], confidence };
  });
  const gaps = reading.gaps.filter(
    ({ season, episode }) => !placed.some((one) => one.season === season && one.episode === episode),
  );
  return { ...reading, files, gaps };
}

async function askOne(doubt: FolderDoubt, ports: AskPorts): Promise<Omit<AskedDoubt, 'refused'>> {
  const { executor, options, ids, seed } = ports;
  const { provider, clock } = executor;
  const started = startWorkflow(folderWorkflow, doubt, {
    id: ids.next(),
    now: clock.now(),
    strategy: pickStrategy(ports.strategy, provider),
    model: `${provider.name}/${provider.model}`,
    recorded: provider.name === RECORDED,
    seed,
  });
  const workflow = await runUntilBlocked(started, {
    definition: provider.capabilities.contextLength <= 4096 ? { ...folderWorkflow, ballots: 1 } : folderWorkflow,
    registry: new AgentToolRegistry(folderWorkflow.tools),
    options: { ...options, limits: FOLDER_LIMITS },
    // An answer is a hypothesis: nothing is done by it here, and a folder that is read again asks again.
    ports: { ...executor, save: () => Promise.resolve(), perform: () => Promise.resolve() },
  });
  const { state } = workflow;
  const answer = state.type === 'Completed' ? state.result.action : null;
  return { doubt, answer, why: whyOf(workflow), workflow };
}

/** What the model failed with, where no answer came after it; null where one did. */
export function failureOf({ journal }: Pick<Workflow<FolderDoubt, FolderAction>, 'journal'>): Failure | null {
  const last = journal.findLast((entry) => entry.kind === 'model_ended' || entry.kind === 'model_failed');
  return last?.kind === 'model_failed' ? last.failure : null;
}

function whyOf({ state, journal }: Workflow<FolderDoubt, FolderAction>): string {
  if (state.type === 'Completed') return state.result.why;
  if (state.type === 'Failed') return state.error;
  return journal.findLast((entry) => entry.kind === 'asked')?.why ?? '';
}

/** Below the folder: what the answer is about. */
function pathsOf({ mediaFolderPath, files }: FolderDoubt): string[] {
  return files.map(({ path }) => path.slice(mediaFolderPath.length + 1));
}
