/** Cases of a file, each answered by itself: `{ id, output }` or `{ id, error: { code, field } }`. */
import { readFile, writeFile } from 'node:fs/promises';
import { ToolboxRun, type RunOptions } from '#core/toolbox/run.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { toolNamed } from '#core/toolbox/tools.ts';
import { failed, toFailure } from '#core/errors.ts';
import { isRecord } from '#core/agent/tools/tool.ts';

/** Exit code. */
export async function runCases(
  file: string,
  out: string,
  { tools, ...using }: RunOptions & { tools: readonly ToolboxTool[] },
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const run = new ToolboxRun(using);
  const answers: object[] = [];
  let refused = 0;
  for (const [at, line] of lines.entries()) {
    if (signal.aborted) throw failed('cancelled', 'cancelled');
    const row: unknown = JSON.parse(line);
    if (!isRecord(row) || typeof row['tool'] !== 'string')
      throw failed('invalid', `Row ${at + 1} of ${file} is no case.`);
    const answer = await answerOf(run, () => toolNamed(String(row['tool']), tools), row['input'], signal);
    if ('error' in answer) refused += 1;
    answers.push({ id: row['id'], ...answer });
  }
  await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  say(`${answers.length} cases, ${refused} of them answered with a failure; the answers are in ${out}`);
  return 0;
}

async function answerOf(
  run: ToolboxRun,
  tool: () => ToolboxTool,
  input: unknown,
  signal: AbortSignal,
): Promise<{ output: object } | { error: object }> {
  try {
    const answered = await run.call(tool(), input, signal);
    if (answered.ok) return { output: answered.answer.whole };
    const { code, subject, message } = answered.failure;
    return { error: { code, ...(subject === undefined ? {} : { field: subject }), message } };
  } catch (thrown) {
    const { message } = toFailure(thrown);
    return { error: { code: 'tool_unavailable', message } };
  }
}
