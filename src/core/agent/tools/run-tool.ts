/**
 * One call of one tool, and everything that is enforced about it: not by the prompt, here.
 *
 *   known tool -> allowed in this state -> input fits, no unknown field -> every reference was shown
 *   -> not made before -> calls left -> not cooling -> cooldown waited -> the minute has room -> execute (and again,
 *   where that may help) -> output fits
 *
 * What is refused never reaches `execute`. The same check runs again after a crash, so a call that is found open in the
 * journal passes through it like a new one.
 */
import * as v from 'valibot';
import { failure, toFailure, type Failure } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import { fail, type Result } from '../../result.ts';
import type { CancelSignal } from '../../cancel.ts';
import type { Entity, JournalEntry } from '../workflow/workflow.ts';
import { canonical, type AgentTool, type Provenance } from './tool.ts';
import { type Entities, unknownReference } from './handles.ts';
import type { AgentToolRegistry } from './registry.ts';

/** Milliseconds before a further attempt, where the failure names none. */
const ATTEMPT_PAUSE = 1000;
/** Milliseconds: what asks for a longer wait is given up instead. */
const LONGEST_WAIT = 60_000;

export interface ToolWorld<Context> {
  registry: AgentToolRegistry<Context>;
  /** What may be called now. */
  allowed: readonly string[];
  /** The `low` tools that code may call; without it none. */
  codeWrites?: readonly string[];
  /** When a `low` tool was last used by whatever it must not follow too soon; null: never. Milliseconds since the epoch. */
  lastUse?: (tool: string) => number | null;
  entities: Entities;
  journal: readonly JournalEntry[];
  workflowId: string;
  context: Context;
  clock: Clock;
  wait(milliseconds: number, signal: CancelSignal | undefined): Promise<void>;
  fetchText?: ((url: string, signal: CancelSignal | undefined) => Promise<Result<string>>) | undefined;
  signal?: CancelSignal | undefined;
}

export interface RequestedCall {
  /** The id that the journal gave it. */
  call: string;
  tool: string;
  /** With real ids (resolve.ts). */
  input: unknown;
  by: 'code' | 'model';
}

export type RanTool =
  | { kind: 'done'; output: unknown; provenance: Provenance[]; shown: Entity[]; milliseconds: number }
  | { kind: 'failed'; failure: Failure; milliseconds: number }
  /** Nothing is known of it: the call stays open in the journal. */
  | { kind: 'cancelled' };

/** Never throws: what a tool throws is its failure. */
export async function runTool<Context>(world: ToolWorld<Context>, call: RequestedCall): Promise<RanTool> {
  const began = world.clock.now();
  const spent = () => Math.max(0, world.clock.now() - began);
  const failed = (reason: Failure): RanTool => ({ kind: 'failed', failure: reason, milliseconds: spent() });

  const checked = checkCall(world, call);
  if (!checked.ok) return failed(checked.failure);
  const { tool, input } = checked;

  await waitFor(world, cooldownLeft(world, tool));
  const crowded = world.registry.admit(tool.name, world.clock.now());
  if (crowded > 0) {
    await waitFor(world, crowded);
    if (!world.signal?.aborted && world.registry.admit(tool.name, world.clock.now()) > 0)
      return failed(failure('rate_limited', `${tool.name} was called ${tool.limits.perMinute} times in a minute.`));
  }

  for (let attempt = 0; ; attempt++) {
    if (world.signal?.aborted) return { kind: 'cancelled' };
    const outcome = await attemptOnce(world, tool, input, call.call);
    if (outcome.kind === 'done') return { ...outcome, milliseconds: spent() };
    if (world.signal?.aborted) return { kind: 'cancelled' };
    const pause = outcome.failure.retryAfterMs ?? ATTEMPT_PAUSE;
    if (!outcome.failure.retryable || attempt >= tool.limits.retries || pause > LONGEST_WAIT)
      return failed(outcome.failure);
    await waitFor(world, pause);
  }
}

type Checked<Context> = { ok: true; tool: AgentTool<Context>; input: unknown } | { ok: false; failure: Failure };

function checkCall<Context>(world: ToolWorld<Context>, call: RequestedCall): Checked<Context> {
  const refuse = (sentence: string): Checked<Context> => ({ ok: false, failure: failure('tool_refused', sentence) });
  const tool = world.registry.get(call.tool);
  if (!tool) return refuse(`There is no tool "${call.tool.slice(0, 60)}".`);
  if (!world.allowed.includes(tool.name)) return refuse(`${tool.name} cannot be called now.`);
  const codeMay = tool.risk === 'read' || (tool.risk === 'low' && world.codeWrites?.includes(tool.name));
  if (call.by === 'code' && !codeMay) return refuse(`${tool.name} decides; code only looks.`);

  const input = v.safeParse(tool.input, call.input);
  if (!input.success) return refuse(`${tool.name}: ${whatIsWrong(input.issues[0])}`);
  if (call.by === 'model') {
    const unknown = unknownReference(input.output, tool.references, world.entities);
    if (unknown) return refuse(`${unknown.field}: no ${unknown.kind} "${unknown.value.slice(0, 60)}" was shown.`);
  }

  const earlier = startsOf(world.journal, call.call).filter((entry) => entry.tool === tool.name);
  const wanted = canonical(call.input);
  if (earlier.some((entry) => canonical(entry.input) === wanted))
    return refuse(`${tool.name} was called with the same input before.`);
  const refused = new Set(
    world.journal.flatMap((entry) =>
      entry.kind === 'tool_failed' && entry.failure.code === 'tool_refused' ? [entry.call] : [],
    ),
  );
  if (earlier.filter((entry) => !refused.has(entry.call)).length >= tool.limits.calls)
    return refuse(`${tool.name} may be called ${tool.limits.calls} times, and was.`);
  const last = tool.risk === 'low' ? (world.lastUse?.(tool.name) ?? null) : null;
  const cooling = last === null ? 0 : last + tool.limits.cooldownMs - world.clock.now();
  if (cooling > 0) return refuse(`${tool.name} was used a moment ago: again in ${Math.ceil(cooling / 1000)} s.`);
  return { ok: true, tool, input: input.output };
}

type Attempt =
  { kind: 'done'; output: unknown; provenance: Provenance[]; shown: Entity[] } | { kind: 'failed'; failure: Failure };

async function attemptOnce<Context>(
  world: ToolWorld<Context>,
  tool: AgentTool<Context>,
  input: unknown,
  call: string,
): Promise<Attempt> {
  try {
    const outcome = await tool.execute(input, {
      context: world.context,
      signal: world.signal,
      idempotencyKey: `${world.workflowId}/${call}`,
      fetch: (url) => fetchAllowed(world, tool, url),
    });
    if (!outcome.ok) return { kind: 'failed', failure: outcome.failure };
    const output = v.safeParse(tool.output, outcome.output);
    if (!output.success)
      return broken(`${tool.name} answered in a form that it does not promise: ${whatIsWrong(output.issues[0])}`);
    const plain: unknown = JSON.parse(JSON.stringify(output.output ?? null));
    return { kind: 'done', output: plain, provenance: outcome.provenance, shown: tool.shows(output.output) };
  } catch (thrown) {
    return { kind: 'failed', failure: toFailure(thrown, tool.name) };
  }
}

function broken(sentence: string): Attempt {
  return { kind: 'failed', failure: { ...failure('internal', sentence), retryable: false } };
}

function fetchAllowed<Context>(
  world: ToolWorld<Context>,
  tool: AgentTool<Context>,
  url: string,
): Promise<Result<string>> {
  const origin = /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/i.exec(url)?.[0].toLowerCase();
  if (origin === undefined || !tool.network.some((allowed) => allowed.toLowerCase() === origin))
    return Promise.resolve(fail(failure('tool_refused', `${tool.name} may not reach ${origin ?? 'that address'}.`)));
  if (!world.fetchText) return Promise.resolve(fail(failure('offline', `${tool.name} has no way out from here.`)));
  return world.fetchText(url, world.signal);
}

/** Milliseconds until the tool may be called again in this workflow. */
function cooldownLeft<Context>(world: ToolWorld<Context>, tool: AgentTool<Context>): number {
  let last: number | null = null;
  for (const entry of world.journal) {
    const ended =
      entry.kind === 'tool_ended' || (entry.kind === 'tool_failed' && entry.failure.code !== 'tool_refused');
    if (ended && entry.tool === tool.name) last = entry.at;
  }
  if (last === null) return 0;
  return Math.min(tool.limits.cooldownMs, Math.max(0, last + tool.limits.cooldownMs - world.clock.now()));
}

async function waitFor<Context>(world: ToolWorld<Context>, milliseconds: number): Promise<void> {
  if (milliseconds > 0 && !world.signal?.aborted) await world.wait(milliseconds, world.signal);
}

function startsOf(journal: readonly JournalEntry[], except: string): Extract<JournalEntry, { kind: 'tool_started' }>[] {
  const starts: Extract<JournalEntry, { kind: 'tool_started' }>[] = [];
  for (const entry of journal) {
    if (entry.kind === 'tool_started' && entry.call === except) break;
    if (entry.kind === 'tool_started') starts.push(entry);
  }
  return starts;
}

function whatIsWrong(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
