import * as v from 'valibot';
import { wordTool } from '#core/agent/tools/make-tool.ts';

export const requestReviewTool = wordTool(
  'request_review',
  'Leave the decision to a person, when several candidates are as likely or nothing is certain.',
  v.strictObject({
    reasoning: v.pipe(v.string(), v.maxLength(600), v.description('What is uncertain, in one sentence')),
  }),
);
