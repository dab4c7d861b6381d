import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';

/** A file with its text. `ext`: its ending, where it has no path. */
const CaseSchema = v.object({
  id: v.string(),
  path: v.optional(v.string()),
  ext: v.optional(v.string()),
  text: v.string(),
});

const ports = {
  clock: { now: () => Date.now() },
  timers: {
    set: (run: () => void, ms: number) => setTimeout(run, ms),
    clear: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
  },
};

/**
 * `ingest --cases`: one file a line, one answer a line. Throws what the file system throws, and AccessionError
 * `invalid` with the line.
 */
export async function ingestCases(options: { cases: string; out: string }): Promise<{ files: number; chunks: number }> {
  const rows = await readJsonLines(options.cases, CaseSchema);
  const registry = ingesterRegistry([{ ingesters: libraryAgents({ syntax: nodeParser() }) }]);
  const answers: string[] = [];
  let count = 0;
  for (const { id, path, ext, text } of rows) {
    const { agentId, chunks } = await readChunks(
      registry,
      { path: path ?? `${id}.${ext ?? 'txt'}`, content: text },
      ports,
    );
    answers.push(`${JSON.stringify({ id, agentId, chunks })}\n`);
    count += chunks.length;
  }
  await writeFile(options.out, answers.join(''));
  return { files: rows.length, chunks: count };
}
