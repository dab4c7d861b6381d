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

/** Of each, when it began in the trace, its parts by the time that was spent in them alone, and functions by their samples. */
export function partsOfTasks(trace: Buffer): string {
  const { traceEvents: events } = v.parse(v.object({ traceEvents: v.array(EventShape) }), JSON.parse(trace.toString()));
  const isMain = v.object({ name: v.literal('CrRendererMain') });
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && v.is(isMain, args)).map(threadOf));
  const whole = events.filter((one) => one.ph === 'X' && mains.has(threadOf(one)));
  const begun = whole.reduce((least, { ts }) => Math.min(least, ts), Infinity);
  const samples = samplesIn(events);
  const long = whole.filter((one) => isTask(one) && one.dur >= LONG_US);
  const lines = long
    .sort((a, b) => a.ts - b.ts)
    .map((task) => {
      const isIn = (at: number): boolean => at >= task.ts && at <= task.ts + task.dur;
      const inside = whole.filter((one) => threadOf(one) === threadOf(task) && isIn(one.ts) && isIn(one.ts + one.dur));
      const functions = samples.filter(({ thread, at }) => thread === threadOf(task) && isIn(at));
      const own = task.tdur === undefined ? '' : `, ${(task.tdur / 1000).toFixed(0)} ms of it by itself`;
      const head = `${((task.ts - begun) / 1e6).toFixed(1)} s, ${(task.dur / 1000).toFixed(0)} ms${own} (process ${task.pid})`;
      return `${head}\n    parts: ${told(selfTimes(inside))}\n    functions: ${told(functions)}`;
    });
  return lines.length === 0 ? 'No task of the trace is over 50 ms.' : lines.join('\n');
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
