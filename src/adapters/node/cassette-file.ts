/** Recorded answers of a model in a file (`agent-eval --cassette`, `--record`). */
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { failure, toFailure, messageOf } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { OpenedInNode } from '../llm/providers/provider.ts';
import { CassetteSchema, createRecorded, emptyCassette, recordInto } from '../llm/recorded.ts';

/** What the recorded model could do goes with the answers: the questions are put the same way only then. */
const RecordingSchema = v.object({
  ...CassetteSchema.entries,
  capabilities: v.optional(
    v.object({
      contextLength: v.exactOptional(v.number()),
      nativeTools: v.exactOptional(v.boolean()),
      jsonSchema: v.exactOptional(v.boolean()),
      grammar: v.exactOptional(v.boolean()),
    }),
    {},
  ),
});

/** Fails with `file_unreadable`, or `invalid` where the file is no cassette. */
export async function openCassette(path: string): Promise<Result<OpenedInNode>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return fail(
      failure('file_unreadable', `"${path}" cannot be read: ${messageOf(error)}.`, { remedy: 'Check the path.' }),
    );
  }
  try {
    const { capabilities, ...cassette } = v.parse(RecordingSchema, JSON.parse(text));
    return ok({ provider: createRecorded({ cassette, capabilities }), close: () => Promise.resolve() });
  } catch (error) {
    return fail(failure('invalid', `"${path}" is no cassette: ${toFailure(error).message}.`));
  }
}

/** The same model, whose answers are written to a file when it is closed. */
export function recordToFile({ provider, close }: OpenedInNode, path: string): OpenedInNode {
  const cassette = emptyCassette(provider.model);
  return {
    provider: recordInto(provider, cassette),
    async close() {
      await close();
      await writeFile(path, `${JSON.stringify({ ...cassette, capabilities: provider.capabilities })}\n`);
    },
  };
}
