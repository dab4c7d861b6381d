import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { Cancel } from '#core/ports.ts';
import { askedOf } from '#lanes/library/core/documents/library-documents.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import { openLibrary } from '#lanes/library/core/indexing/manifest.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { searchProfile, whyWords, type Profile } from '#lanes/library/core/vectors/profiles.ts';
import { openVectorFiles, Vectors } from '#lanes/library/core/vectors/vectors.ts';
import { makeVectors } from './index-folder.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import type { Passage } from '#lanes/library/core/search/passage.types.ts';
import { agentsFolder, openAgents } from '#lanes/library/node/open-agents.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';
import { CodePoints } from './code-points.ts';

export const QuestionSchema = v.object({ id: v.string(), question: v.string() });

export interface SearchFlags {
  questions: string;
  library: string;
  out: string;
  k: number;
  profile: Profile;
  embedder: Embedder | null;
  say(line: string): void;
  data: string;
  /** A folder of agents beside that of the data directory. */
  agents?: string | undefined;
  cancel: Cancel;
}

/**
 * `search --questions`: one question a line, one answer a line with the best passages, their places in Unicode code points
 * of the file. The library is brought up to date first. Throws AccessionError `invalid` with the line.
 */
export async function searchQuestions(flags: SearchFlags): Promise<{ questions: number; passages: number }> {
  const rows = await readJsonLines(flags.questions, QuestionSchema);
  const folders = [agentsFolder(flags.data), ...(flags.agents === undefined ? [] : [resolve(flags.agents)])];
  const { agents, close } = await openAgents(folders);
  const ports = await openIndexing(flags.data, resolve(flags.library), agents.registry);
  try {
    await indexFolder({ ...ports, cancel: flags.cancel });
    if (flags.embedder !== null)
      await makeVectors({ ...ports, embedder: flags.embedder, cancel: flags.cancel }, flags.say);
  } finally {
    close();
  }
  const { manifest, index } = await openLibrary(ports.store);
  const { profile, embedder } = flags;
  const vectors =
    profile === 'bm25' || manifest.vectors === undefined
      ? null
      : new Vectors(manifest.vectors.model, await openVectorFiles(ports.store, manifest.vectors), index);
  const why = whyWords(profile, vectors, embedder?.name ?? null);
  if (why !== null) flags.say(why);
  const places = new CodePoints(({ place: { segment, file } }: Passage) => {
    const of = index.parts[segment]?.segment;
    const kept = of?.files[file];
    return of === undefined || kept === undefined || !kept.wide ? '' : of.text(kept);
  });
  let passages = 0;
  const answers: string[] = [];
  for (const { id, question } of rows) {
    const asked = askedOf(index, question);
    const options = { ...asked.options, k: flags.k };
    const found =
      asked.words === ''
        ? asked.beginnings(flags.k)
        : why !== null || vectors === null || embedder === null
          ? searchLibrary(index, asked.words, options)
          : await searchProfile(profile, { index, vectors, embedder, question: asked.words, ...options });
    const docs = found.map((passage) => places.said(asked.told(passage)));
    passages += docs.length;
    answers.push(`${JSON.stringify({ id, docs })}\n`);
  }
  await writeFile(flags.out, answers.join(''));
  return { questions: rows.length, passages };
}
