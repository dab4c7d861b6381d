import * as v from 'valibot';
import type { AgentTool } from '../../../agent/tools/tool.ts';
import type { MusicContext } from '../context.ts';
import { limits } from './shapes.ts';

const Input = v.strictObject({
  reason: v.pipe(v.string(), v.maxLength(600), v.description('Why nothing in the catalog fits, in one sentence')),
});

export const rejectTool: AgentTool<MusicContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Input>> = {
  name: 'reject',
  version: 1,
  description: 'None of the candidates is right, and searching found no other. A person confirms it.',
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
