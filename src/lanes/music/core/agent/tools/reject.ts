import * as v from 'valibot';
import { wordTool } from '#core/agent/tools/make-tool.ts';

export const rejectTool = wordTool(
  'reject',
  'None of the candidates is right, and searching found no other. A person confirms it.',
  v.strictObject({
    reason: v.pipe(v.string(), v.maxLength(600), v.description('Why nothing in the catalog fits, in one sentence')),
  }),
);
