/**
 * `python_run`: code of Python, off unless a person agreed to its hash; the standard library and wheels that the person has, nothing is
 * reached. What it left behind ends with it: the next call has a new interpreter.
 */
import * as v from 'valibot';
import { isBase64 } from './base64.ts';
import { CODE_FIELDS, FigureFileSchema } from './free-code.ts';
import { toolboxTool } from './tool.ts';

const InputSchema = v.strictObject({
  ...CODE_FIELDS,
  /** Packages, each as the file of its wheel. */
  wheels: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          name: v.pipe(v.string('must be named'), v.regex(/^[\w.+-]{1,200}\.whl$/, 'must be the name of a wheel')),
          base64: v.pipe(v.string('must be base64'), v.check(isBase64, 'is no base64')),
        }),
        'must be a list of wheels',
      ),
      v.maxLength(20, 'are more than 20'),
    ),
  ),
});

export const pythonRun = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'python_run',
  description:
    'Runs Python (standard library, and wheels that are given): code, data (JSON, as the name "data"). The last expression, or the name "value", is the value. Each code must be agreed to by a person.',
  runtime: 'python',
  bounds: { inputBytes: 64 * 1024 * 1024, memoryMb: 1024 },
  input: InputSchema,
  output: v.looseObject({ value: v.unknown(), output: v.string(), figures: v.array(FigureFileSchema) }),
  example: { code: 'sum(data) / len(data)', data: [1, 2, 3] },
  // A package is code, too.
  code: ({ code, wheels = [] }) => [code, ...wheels.map(({ name, base64 }) => `${name}\n${base64}`)].join('\n'),
  job: (input) => ({ program: 'run', data: input, free: true }),
});
