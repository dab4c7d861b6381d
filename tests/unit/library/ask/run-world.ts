/** A run over a library in memory, in virtual time, with its transcript in memory. */
import { createHash } from 'node:crypto';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { askOptions, type AskOptions } from '#lanes/library/core/ask/run/options.ts';
import { answerIn, runAsk, startAsk, type AskPorts } from '#lanes/library/core/ask/run/run-ask.ts';
import { readLines, runOf, type AskRun } from '#lanes/library/core/ask/run/transcript.ts';
import { builtInTools } from '#lanes/library/core/ask/tools/built-in.ts';
import type { AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { VirtualTime } from '../../../fixtures/virtual-time.ts';
import { libraryOf } from './ask-world.ts';

export const STATION = {
  'station/handbook.md':
    '# Handbook\n\n## Opening hours\n\nIn winter the station closes at 16:30. In summer it closes at 18:00.\n\n## Boats\n\nThe Tern carries four people.\n\nThe draught of the Marrow is 1.8 metres.\n',
  'station/budget.txt': 'Budget 2031\n\nThe new winch costs 4,200 euros. It was paid by the Harbour Fund.\n',
  'web/tides.md': '# Tides\n\nSpring tides come after full moon.\n',
};

export const sha256 = (text: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(text).digest('hex'));

export class Killed extends Error {}

export interface World {
  ports: AskPorts;
  time: VirtualTime;
  /** The transcript so far. */
  text(): string;
  calls: { tool: string; key: string }[];
}

export interface Wishes {
  provider?: LlmProvider | null;
  tools?: readonly AskTool[];
  /** Killed after so many appends. */
  dies?: number;
  signal?: CancelSignal;
  before?: string;
  price?: { in: number; out: number };
  library?: string;
}

const libraries = new Map<string, Promise<LibraryIndex>>();

export async function worldOf(texts: Record<string, string> = STATION, wishes: Wishes = {}): Promise<World> {
  const key = JSON.stringify(texts);
  const opening = libraries.get(key) ?? libraryOf(texts);
  libraries.set(key, opening);
  const index = await opening;
  const time = new VirtualTime();
  let text = wishes.before ?? '';
  let appends = 0;
  const calls: World['calls'] = [];
  const tools = (wishes.tools ?? builtInTools()).map((one): AskTool => ({
    ...one,
    tool: {
      ...one.tool,
      execute: (input, run) => {
        calls.push({ tool: one.tool.name, key: JSON.stringify(input) });
        return one.tool.execute(input, run);
      },
    },
  }));
  return {
    time,
    text: () => text,
    calls,
    ports: {
      provider: wishes.provider ?? null,
      context: { index },
      tools,
      library: wishes.library ?? 'memory',
      clock: time,
      sha256,
      wait: time.wait,
      transcript: {
        append: (lines) => {
          text += lines;
          appends += 1;
          return appends >= (wishes.dies ?? Infinity) ? Promise.reject(new Killed()) : Promise.resolve();
        },
      },
      price: wishes.price ?? { in: 0, out: 0 },
      timeoutMs: 30_000,
      ...(wishes.signal ? { signal: wishes.signal } : {}),
    },
  };
}

export const optionsOf = (block: object = {}): AskOptions =>
  askOptions({ from: 'test', block: { enabled: true, ...block } });

export async function ask(
  question: string,
  world: World,
  options: AskOptions = optionsOf(),
  task: string | null = null,
) {
  const run = await world.time.run(runAsk(startAsk({ question, task, options }, world.ports, 'r1'), world.ports));
  return { run, answer: answerIn(run) };
}

/** What a transcript says, taken up in this world. */
export async function takeUp(text: string, world: World): Promise<AskRun> {
  const { run } = runOf(readLines(text));
  return world.time.run(runAsk(run, world.ports, run.journal.length));
}
