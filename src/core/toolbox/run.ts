/**
 * The calls of one run: each answer has a handle (`r12`), the hash of its input and the versions of all that had a part in it, so
 * that a number can be followed (`r12.p_value`). The same call with the same versions is answered from what is kept.
 */
import { sha256 } from 'hash-wasm';
import * as v from 'valibot';
import { canonical, isRecord, type Provenance } from '../agent/tools/tool.ts';
import { failure, toFailure, type Failure } from '../errors.ts';
import type { CancelSignal } from '../cancel.ts';
import { encodeUtf8 } from '../utf8.ts';
import { boundsOf, type BoundsWish, type Cage } from './cage.ts';
import type { Commands } from './commands/commands.ts';
import type { Net } from './connectors/net.ts';
import { unagreedCode } from './free-code.ts';
import { cutTo, type Cut } from './cut.ts';
import { failureOf, type Output, type ToolboxTool } from './tool.ts';

export interface ToolAnswer {
  /** `r12`: the twelfth call of the run. */
  handle: string;
  tool: string;
  inputSha256: string;
  /** All of it: for the journal. */
  whole: Output;
  /** As a model may read it. */
  output: Output;
  /** What of it is not there in full; null: nothing. */
  truncated: Cut[] | null;
  provenance: Provenance[];
  cached: boolean;
}

export type Answered = { ok: true; answer: ToolAnswer } | { ok: false; failure: Failure };

export interface RunOptions extends BoundsWish {
  cage: Cage;
  /** SHA-256 of free code that a person agreed to. */
  agreed?: ReadonlySet<string>;
  /** How connectors reach their sources. */
  net?: Net;
  /** Programs of the machine that its operator listed. */
  commands?: Commands;
  /** Patterns of hosts that they may ask; null: a person asks. */
  domains?: readonly string[] | null;
}

type Domains = readonly string[] | null;

export class ToolboxRun {
  readonly #options: RunOptions;
  readonly #kept = new Map<string, ToolAnswer>();
  readonly #byHandle = new Map<string, { answer: ToolAnswer; tool: ToolboxTool; input: unknown; domains: Domains }>();

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /**
   * Never throws: what is wrong with the input is `tool_input` with its field.
   * @param domains in the place of the run's own
   */
  async call(
    tool: ToolboxTool,
    given: unknown,
    signal?: CancelSignal,
    domains: Domains = this.#options.domains ?? null,
  ): Promise<Answered> {
    const text = canonical(given);
    const { inputBytes: most, resultBytes } = boundsOf(tool.bounds, this.#options);
    if (encodeUtf8(text).length > most)
      return { ok: false, failure: failure('tool_limit', `${tool.name}: the input is larger than ${most} bytes.`) };
    const inputSha256 = await sha256(text);
    const key = `${tool.name}@${tool.version} ${inputSha256}`;
    const before = this.#kept.get(key);
    if (before !== undefined) return { ok: true, answer: { ...before, cached: true } };
    const computed = await this.#compute(tool, given, domains, signal);
    if (!computed.ok) return computed;
    const { output, cuts } = cutTo(computed.output, resultBytes);
    const answer: ToolAnswer = {
      ...{ handle: `r${this.#byHandle.size + 1}`, tool: tool.name, inputSha256, whole: computed.output, output },
      ...{ truncated: cuts.length === 0 ? null : cuts, provenance: computed.provenance, cached: false },
    };
    this.#kept.set(key, answer);
    this.#byHandle.set(answer.handle, { answer, tool, input: given, domains });
    return { ok: true, answer };
  }

  /** What `r12.p_value` or `r3.rows.0.1` says; undefined: there is no such. */
  valueAt(reference: string): unknown {
    const [handle = '', ...path] = reference.split('.');
    let value: unknown = this.#byHandle.get(handle)?.answer.whole;
    for (const step of path) {
      if (Array.isArray(value)) value = value[Number(step)];
      else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
    return value;
  }

  /** Computes each answer again; the handles of those that came out otherwise. */
  async verify(signal?: CancelSignal): Promise<string[]> {
    const drifted: string[] = [];
    for (const [handle, { answer, tool, input, domains }] of this.#byHandle) {
      const again = await this.#compute(tool, input, domains, signal);
      if (!again.ok || compared(again.output) !== compared(answer.whole)) drifted.push(handle);
    }
    return drifted;
  }

  async #compute(
    tool: ToolboxTool,
    given: unknown,
    domains: Domains,
    signal: CancelSignal | undefined,
  ): Promise<{ ok: true; output: Output; provenance: Provenance[] } | { ok: false; failure: Failure }> {
    const input = v.safeParse(tool.input, given, { abortPipeEarly: true });
    if (!input.success) return { ok: false, failure: failureOf(tool.name, inputFault(input.issues)) };
    const unagreed = await unagreedCode(tool, input.output, this.#options.agreed);
    if (unagreed !== null) return { ok: false, failure: unagreed };
    try {
      const done = await tool.execute(input.output, {
        context: { ...this.#options, domains },
        signal,
        idempotencyKey: '',
        fetch: () => Promise.resolve({ ok: false, failure: failure('tool_refused', 'The toolbox fetches nothing.') }),
      });
      if (!done.ok) return done;
      const output = v.safeParse(tool.output, JSON.parse(JSON.stringify(done.output)));
      if (output.success) return { ok: true, output: output.output, provenance: done.provenance };
      const said = `${tool.name} answered in a form that it does not promise: ${v.getDotPath(output.issues[0]) ?? ''} ${output.issues[0].message}`;
      return { ok: false, failure: failure('internal', said) };
    } catch (thrown) {
      return { ok: false, failure: toFailure(thrown, tool.name) };
    }
  }
}

/** When a source was asked is no part of what it says. */
function compared(output: Output): string {
  const { sources, ...said } = output;
  const hashes = Array.isArray(sources) ? sources.map((one) => isRecord(one) && one['sha256']) : null;
  return canonical({ ...said, hashes });
}

/** Lists of columns, whose fault is named by the column. */
const OF_COLUMNS = new Set(['data']);

/** An unknown field goes before what is wrong with a known one. */
function inputFault(issues: readonly v.BaseIssue<unknown>[]): { field: string; message: string } {
  const unknown = issues.find((one) => one.type === 'strict_object' && one.expected === 'never');
  const issue = unknown ?? issues[0];
  const [first, second] = (issue?.path ?? []).map((item) => String(item.key));
  const field = first !== undefined && second !== undefined && OF_COLUMNS.has(first) ? second : (first ?? 'input');
  return { field, message: unknown === undefined ? (issue?.message ?? 'is wrong') : 'is not known' };
}
