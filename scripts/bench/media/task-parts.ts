/** What tasks of a page's main thread over 50 ms were made of, from Chromium's trace. */
import * as v from 'valibot';

/** What is traced: tasks, what they do, and samples of what runs in them. */
export const TRACED = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-v8.cpu_profiler'];

const LONG_US = 50_000;
/** Parts and functions that are told of a task. */
const MOST = 8;

const Node = v.object({
  id: v.number(),
  parent: v.optional(v.number()),
  callFrame: v.object({
    functionName: v.string(),
    url: v.optional(v.string(), ''),
    lineNumber: v.optional(v.number(), 0),
    columnNumber: v.optional(v.number(), 0),
  }),
});
/** Samples of a thread, and the microseconds before each. */
const Samples = v.object({
  data: v.object({
    startTime: v.optional(v.number()),
    cpuProfile: v.optional(
      v.object({ nodes: v.optional(v.array(Node), []), samples: v.optional(v.array(v.number()), []) }),
      {},
    ),
    timeDeltas: v.optional(v.array(v.number()), []),
  }),
});
const EventShape = v.object({
  name: v.string(),
  ph: v.string(),
  pid: v.number(),
  tid: v.number(),
  id: v.optional(v.union([v.string(), v.number()]), ''),
  /** Microseconds: of the thread's processor. */
  tdur: v.optional(v.number()),
  ts: v.optional(v.number(), 0),
  dur: v.optional(v.number(), 0),
  args: v.unknown(),
});
type TraceEvent = v.InferOutput<typeof EventShape>;

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
const isTask = ({ name }: TraceEvent): boolean => /RunTask$/.test(name);

export interface TaskParts {
  /** Milliseconds of the processor that the longest task took, and how many took over 50: what other processes take is not in them. */
  ms: number;
  over: number;
  /** Of each that was over 50 ms by the clock: when it began in the trace, its parts by the time that was spent in them alone, functions by their samples. */
  told: string;
}

export function partsOfTasks(trace: Buffer): TaskParts {
  const { traceEvents: events } = v.parse(v.object({ traceEvents: v.array(EventShape) }), JSON.parse(trace.toString()));
  const isMain = v.object({ name: v.literal('CrRendererMain') });
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && v.is(isMain, args)).map(threadOf));
  const whole = events.filter((one) => one.ph === 'X' && mains.has(threadOf(one))).sort((a, b) => a.ts - b.ts);
  const begun = whole[0]?.ts ?? 0;
  const samples = Map.groupBy(samplesIn(events), ({ thread }) => thread);
  const byThread = Map.groupBy(whole, threadOf);
  const tasks = whole.filter(isTask);
  const own = tasks.map(({ tdur, dur }) => (tdur ?? dur) / 1000);
  const lines = tasks
    .filter(({ dur }) => dur >= LONG_US)
    .map((task) => {
      const end = task.ts + task.dur;
      const inside = between(byThread.get(threadOf(task)) ?? [], (one) => one.ts, task.ts, end);
      const functions = between(samples.get(threadOf(task)) ?? [], (one) => one.at, task.ts, end);
      const took = `${(task.dur / 1000).toFixed(0)} ms, ${((task.tdur ?? task.dur) / 1000).toFixed(0)} ms of it by itself`;
      const head = `${((task.ts - begun) / 1e6).toFixed(1)} s, ${took} (process ${task.pid})`;
      return `${head}\n    parts: ${told(selfTimes(inside))}\n    functions: ${told(functions)}`;
    });
  return {
    ms: own.reduce((most, one) => Math.max(most, one), 0),
    over: own.filter((one) => one > LONG_US / 1000).length,
    told: lines.length === 0 ? 'No task of the trace is over 50 ms.' : lines.join('\n'),
  };
}

/** Those from and up to an instant, of ones in the order of theirs. */
function between<One>(all: readonly One[], at: (one: One) => number, from: number, to: number): One[] {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = all[middle];
    if (one !== undefined && at(one) < from) low = middle + 1;
    else high = middle;
  }
  const found: One[] = [];
  for (let place = low; place < all.length; place++) {
    const one = all[place];
    if (one === undefined || at(one) > to) break;
    found.push(one);
  }
  return found;
}

interface Spent {
  name: string;
  us: number;
}

function told(spent: readonly Spent[]): string {
  const sums = new Map<string, number>();
  for (const { name, us } of spent) sums.set(name, (sums.get(name) ?? 0) + us);
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([name, us]) => `${name} ${(us / 1000).toFixed(1)}`)
    .join(', ');
}

/** Each event without those inside of it. */
function selfTimes(inside: readonly TraceEvent[]): Spent[] {
  const spent: Spent[] = [];
  const open: { end: number; of: Spent }[] = [];
  for (const { name, ts, dur } of inside.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    while ((open.at(-1)?.end ?? Infinity) <= ts) open.pop();
    const around = open.at(-1);
    if (around !== undefined) around.of.us -= dur;
    const of = { name, us: dur };
    spent.push(of);
    open.push({ end: ts + dur, of });
  }
  return spent;
}

/** What ran at each sample, by the function alone, with where it stands. */
function samplesIn(events: readonly TraceEvent[]): (Spent & { thread: string; at: number })[] {
  const found: (Spent & { thread: string; at: number })[] = [];
  const profiles = new Map<string, { at: number; thread: string; names: Map<number, string> }>();
  for (const event of events) {
    if (event.name !== 'Profile' && event.name !== 'ProfileChunk') continue;
    const read = v.safeParse(Samples, event.args);
    if (!read.success) continue;
    const { startTime, cpuProfile, timeDeltas } = read.output.data;
    const key = `${event.pid} ${event.id}`;
    // The first event of a profile comes from the thread itself, the others from the one that takes the samples.
    const profile = profiles.get(key) ?? { at: startTime ?? event.ts, thread: threadOf(event), names: new Map() };
    profiles.set(key, profile);
    for (const { id, callFrame: frame } of cpuProfile.nodes) {
      const place = `${frame.url.split('/').at(-1)}:${frame.lineNumber + 1}:${frame.columnNumber + 1}`;
      profile.names.set(id, `${frame.functionName || 'anonymous'}@${place}`);
    }
    for (const [n, sample] of cpuProfile.samples.entries()) {
      const us = timeDeltas[n] ?? 0;
      profile.at += us;
      found.push({ thread: profile.thread, at: profile.at, us, name: profile.names.get(sample) ?? '?' });
    }
  }
  return found;
}
