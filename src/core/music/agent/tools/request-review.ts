import * as v from 'valibot';
import type { AgentTool } from '../../../agent/tools/tool.ts';
import type { MusicContext } from '../context.ts';
import { limits } from './shapes.ts';

const Input = v.strictObject({
  reasoning: v.pipe(v.string(), v.maxLength(600), v.description('What is uncertain, in one sentence')),
});

export const requestReviewTool: AgentTool<MusicContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Input>> = {
  name: 'request_review',
  version: 1,
  description: 'Leave the decision to a person, when several candidates are as likely or nothing is certain.',
  input: Input,
  output: Input,
  risk: 'decide',
  side_effects: false,
  limits: limits(2),
  network: [],
  references: {},
  shows: () => [],
  render: () => ({ noted: true }),
  execute: (input) =>
    Promise.resolve({ ok: true, output: input, provenance: [{ source: 'model', ref: 'its own words' }] }),
};
