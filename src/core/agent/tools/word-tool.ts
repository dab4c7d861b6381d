import type * as v from 'valibot';
import type { AgentTool } from './tool.ts';

/** A tool that ends the workflow with the model's own words and looks at nothing: what it is told is what it answers. */
export function wordTool<Words>(
  name: string,
  description: string,
  input: v.GenericSchema<unknown, Words>,
  /** Fields that name an entity (tool.ts). */
  references: Readonly<Record<string, string>> = {},
): AgentTool<unknown, Words, Words> {
  return {
    name,
    version: 1,
    description,
    input,
    output: input,
    risk: 'decide',
    side_effects: false,
    limits: { cooldownMs: 0, retries: 1, calls: 2, perMinute: 1200 },
    network: [],
    references,
    shows: () => [],
    render: () => ({ noted: true }),
    execute: (words) =>
      Promise.resolve({ ok: true, output: words, provenance: [{ source: 'model', ref: 'its own words' }] }),
  };
}
