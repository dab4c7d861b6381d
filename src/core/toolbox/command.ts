/**
 * `command`: a program of the machine that its operator listed, with the arguments that stand there: whoever calls it gives the
 * content of files and of its input, and chooses neither program nor flags.
 */
import * as v from 'valibot';
import { isBase64 } from './base64.ts';
import { AccessionError, failed } from '../errors.ts';
import { ofListed } from './commands/commands.ts';
import { toolboxTool } from './tool.ts';

/** Neither a folder nor a flag. */
const fileName = v.pipe(v.string(), v.regex(/^[A-Za-z\d_][\w.-]{0,99}$/, 'must be named by letters, digits, ".", "-" and "_"')); // prettier-ignore
const content = v.union([
  v.string(),
  v.strictObject({ base64: v.pipe(v.string(), v.check(isBase64, 'is no base64')) }),
]);

const InputSchema = v.strictObject({
  name: v.pipe(v.string('must be a text'), v.nonEmpty('is empty'), v.maxLength(60, 'is too long')),
  files: v.exactOptional(
    v.pipe(v.record(fileName, content), v.check((files) => Object.keys(files).length <= 50, 'are more than 50')), // prettier-ignore
  ),
  stdin: v.exactOptional(v.string('must be a text')),
});
export type CommandInput = v.InferOutput<typeof InputSchema>;

export const command = toolboxTool<CommandInput>({
  name: 'command',
  description:
    'Runs a program that the operator of this machine listed (name), in a fresh folder with files { name: text or { base64 } } and stdin. Answers exit_code, output, errors, files that it wrote.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ exit_code: v.nullable(v.number()), output: v.string(), errors: v.string() }),
  example: { name: 'gnuplot', files: { 'script.gp': 'set terminal svg\nset output "figure.svg"\nplot sin(x)\n' } },
  async compute(input, { context, signal }) {
    const { commands, bounds } = context;
    if (commands === undefined) throw failed('tool_unavailable', 'Programs of the machine run in a terminal alone.');
    if (!commands.names.includes(input.name))
      throw failed('tool_refused', `command: ${ofListed(input.name, commands.names)}`, {
        subject: 'name',
        remedy: 'Who runs this machine can list it in [toolbox.commands] of accession.toml, or with --command.',
      });
    const done = await commands.run(input, bounds ?? {}, signal);
    if (done.ok) return { ...done.value };
    throw new AccessionError(done.failure);
  },
});
