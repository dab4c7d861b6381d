import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { agentsFromFiles } from '#lanes/library/core/model/agent-files.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { readAgentFolder } from '#lanes/library/node/agent-folder.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';

/** A file with its text. `ext`: its ending, where it has no path. */
const CaseSchema = v.object({
  id: v.string(),
  path: v.optional(v.string()),
  ext: v.optional(v.string()),
  text: v.string(),
});

export interface IngestCases {
  cases: string;
  out: string;
  /** A folder of agents in Markdown. */
  agents?: string | undefined;
  ask?: ModelAsker;
}

export interface CasesRead {
  files: number;
  chunks: number;
  /** Sentences: who failed and why, and which agents were refused. */
  warnings: string[];
}

/**
 * `ingest --cases`: one file a line, one answer a line. Throws what the file system throws, and AccessionError
 * `invalid` with the line.
 */
export async function ingestCases({ cases, out, agents, ask = null }: IngestCases): Promise<CasesRead> {
  const rows = await readJsonLines(cases, CaseSchema);
  const own = libraryAgents({ syntax: nodeParser(), ask });
  const files = await agentsFromFiles(agents === undefined ? [] : await readAgentFolder(agents), own, ask);
  const registry = ingesterRegistry([{ ingesters: own }, { ingesters: files.agents }]);
  const warnings = files.refused.map(({ file, line, message }) => `${file}, line ${line}: ${message}`);
  const answers: string[] = [];
  let count = 0;
  for (const { id, path, ext, text } of rows) {
    const file = { path: path ?? `${id}.${ext ?? 'txt'}`, content: text };
    const read = await readChunks(registry, file, readingPorts);
    answers.push(`${JSON.stringify({ id, agentId: read.agentId, chunks: read.chunks })}\n`);
    warnings.push(...read.warnings);
    count += read.chunks.length;
  }
  await writeFile(out, answers.join(''));
  return { files: rows.length, chunks: count, warnings };
}
