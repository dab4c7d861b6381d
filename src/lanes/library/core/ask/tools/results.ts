/** What a tool's result adds to the evidence. */
import * as v from 'valibot';
import type { RagDoc } from '../evidence/evidence.types.ts';
import type { ToolRequest } from '../question/question.types.ts';
import { DocsSchema } from './docs.ts';

/** Results that hold `docs` are evidence, whichever tool gave them; others are not. */
export function docsOfResult({ input }: ToolRequest, output: unknown): { docs: RagDoc[]; query: string } {
  const said = input['query'] ?? input['expression'] ?? input['path'];
  const query = typeof said === 'string' ? said : '';
  const read = v.safeParse(v.object({ docs: DocsSchema }), output);
  return { docs: read.success ? read.output.docs : [], query };
}
