import type * as v from 'valibot';
import type { AgentTool } from '../../../agent/tools/tool.ts';
import type { MusicContext } from '../context.ts';
import { limits } from './shapes.ts';

/** A tool that ends the workflow with the model's own words and looks at nothing: what it is told is what it answers. */
export function wordTool<Words>(
  name: string,
  description: string,
  input: v.GenericSchema<unknown, Words>,
): AgentTool<MusicContext, Words, Words> {
  return {
    name,
    version: 1,
    description,
    input,
    output: input,
    risk: 'decide',
    side_effects: false,
    limits: limits(2),
    network: [],
    references: {},
    shows: () => [],
    render: () => ({ noted: true }),
    execute: (words) =>
      Promise.resolve({ ok: true, output: words, provenance: [{ source: 'model', ref: 'its own words' }] }),
  };
}
