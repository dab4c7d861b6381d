/** Documents as tools give them: `rag_retrieve`'s output. */
import * as v from 'valibot';
import type { RagDoc } from '../evidence/evidence.types.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const SectionSchema = v.object({
  start: count,
  end: count,
  heading: v.string(),
  startLine: count,
  endLine: count,
  rendered: v.boolean(),
  page: v.nullable(count),
  prose: v.boolean(),
});

const DocSchema: v.GenericSchema<unknown, RagDoc> = v.object({
  source_id: v.string(),
  title: v.string(),
  text: v.string(),
  pages: v.exactOptional(v.array(count)),
  score: v.number(),
  metadata: v.object({
    path: v.string(),
    url: v.exactOptional(v.string()),
    copies: v.array(v.string()),
    start: count,
    end: count,
    startLine: count,
    endLine: count,
    sections: v.array(SectionSchema),
    date: v.nullable(v.string()),
    language: v.string(),
  }),
});

export const DocsSchema = v.array(DocSchema);
