/** Code that somebody wrote, in an input: it runs only where a person agreed to its hash. */
import { sha256 } from 'hash-wasm';
import * as v from 'valibot';
import { failure, type Failure } from '../errors.ts';
import type { ToolboxTool } from './tool.ts';

/** NaN and infinities are none. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}

/** The fields that both have. */
export const CODE_FIELDS = {
  code: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100_000, 'is too long')),
  data: v.exactOptional(v.pipe(v.unknown(), v.check(isJson, 'must be JSON'))),
};

/** Null: there is no free code in it, or a person agreed to its hash. */
export async function unagreedCode(
  { name, code }: Pick<ToolboxTool, 'name' | 'code'>,
  input: unknown,
  agreed: ReadonlySet<string> = new Set(),
): Promise<Failure | null> {
  if (code === undefined) return null;
  const hash = await sha256(code(input));
  if (agreed.has(hash)) return null;
  const said = `${name} runs code that nobody agreed to: its hash is ${hash}.`;
  return failure('tool_refused', said, { subject: 'code', remedy: 'Read the code, then agree to its hash.' });
}

/** A file that code made: a figure. */
export const FigureFileSchema = v.object({ name: v.string(), base64: v.string() });
