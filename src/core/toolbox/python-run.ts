/** `python_run`: code of Python, off unless a person agreed to its hash; the standard library alone, nothing is reached. */
import * as v from 'valibot';
import { toolboxTool } from './tool.ts';

/** NaN and infinities are none. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isJson);
}

const InputSchema = v.strictObject({
  code: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100_000, 'is too long')),
  data: v.exactOptional(v.pipe(v.unknown(), v.check(isJson, 'must be JSON'))),
});

export const pythonRun = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'python_run',
  description:
    'Runs Python (standard library alone): code, data (JSON, as the name "data"). The last expression, or the name "value", is the value. Each code must be agreed to by a person.',
  runtime: 'python',
  input: InputSchema,
  output: v.looseObject({ value: v.unknown(), output: v.string() }),
  example: { code: 'sum(data) / len(data)', data: [1, 2, 3] },
  code: ({ code }) => code,
});
