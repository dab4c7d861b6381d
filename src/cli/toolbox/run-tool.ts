/** One call from the terminal. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { failed } from '#core/errors.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import type { Reach } from '../open-sources.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

/** As `accession toolbox run` takes them. */
export interface RunFlags {
  input?: string;
  inputFile?: string;
  example?: boolean;
  /** Seconds. */
  timeout?: number;
  memory?: number;
  verify?: boolean;
  agree?: string[];
  /** Files of packages for Python. */
  wheel?: string[];
}

type Asked = RunFlags & Reach & { name: string; tools: readonly ToolboxTool[] };

/** Exit code: 1 where the tool answered a failure, or its answer drifted. */
export async function runOne(
  asked: Asked,
  cage: Cage,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const tool = toolNamed(asked.name, asked.tools);
  const given = asked.example === true ? tool.example : await readInput(asked);
  const input = asked.wheel === undefined ? given : { ...Object(given), wheels: await wheelsOf(asked.wheel) };
  const bounds = {
    ...(asked.timeout === undefined ? {} : { timeMs: asked.timeout * 1000 }),
    ...(asked.memory === undefined ? {} : { memoryMb: asked.memory }),
  };
  const run = new ToolboxRun({ cage, bounds, agreed: new Set(asked.agree), ...reachOf(asked) });
  const answered = await run.call(tool, input, signal);
  if (!answered.ok) {
    const { code, subject, message, remedy } = answered.failure;
    say(JSON.stringify({ error: { code, field: subject ?? null, message, remedy } }, null, 2));
    return 1;
  }
  const { handle, output, truncated, provenance, inputSha256 } = answered.answer;
  const drift = asked.verify === true ? await run.verify(signal) : [];
  say(
    JSON.stringify(
      {
        handle,
        tool: tool.name,
        output,
        truncated,
        provenance,
        input_sha256: inputSha256,
        ...(asked.verify === true ? { drift } : {}),
      },
      null,
      2,
    ),
  );
  return drift.length === 0 ? 0 : 1;
}

const wheelsOf = (paths: readonly string[]): Promise<{ name: string; base64: string }[]> =>
  Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path).catch((cause: unknown) => {
        throw failed('not_found', `There is no file "${path}".`, { cause });
      });
      return { name: basename(path), base64: bytes.toString('base64') };
    }),
  );

const reachOf = ({ net, commands, raised = {}, domains = null }: Asked): Reach => ({
  raised,
  ...{ domains, ...(net === undefined ? {} : { net }), ...(commands === undefined ? {} : { commands }) },
});

async function readInput({ input, inputFile }: Asked): Promise<unknown> {
  if ((input === undefined) === (inputFile === undefined))
    throw failed('invalid', 'Say what the tool is to work on.', { remedy: 'Give --input, --input-file or --example.' });
  const text = input ?? (await readFile(inputFile ?? '', 'utf8'));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failed('invalid', 'The input is no JSON.', { cause });
  }
}
