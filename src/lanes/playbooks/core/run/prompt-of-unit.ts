/** What was asked for a unit of a run. The journal has its hash alone, so that it is expanded anew from what the run was begun with. */
import { openStep } from '../check/open-step.ts';
import { unitOf } from '../check/unit.ts';
import { PlaybookFault } from '../faults.ts';
import { readPlaybook } from '../read/playbook.ts';
import { ConfigValues, merged, nested } from '../tokens/config-values.ts';
import { scopeOf } from '../tokens/scopes.ts';
import { isMapping, type Mapping, type Value } from '../value.ts';
import type { Past } from './past.ts';
import type { ReadFiles } from './ports.ts';

/** Its prompt, or the input of its tool as JSON. null: its input is there no more, or is another by now. */
export async function promptOfUnit(past: Past, at: number, unit: number, files: ReadFiles): Promise<string | null> {
  const { head } = past;
  const { playbook } = readPlaybook(head.playbook);
  const step = playbook?.steps[at];
  const opened = past.steps.get(at);
  if (playbook === null || step === undefined || opened === undefined) return null;
  const given = merged(mapping(head.config), nested(mapping(head.set)));
  const config = new ConfigValues(merged(playbook.defaults, given));
  const earlier = new Map<string, Mapping>();
  for (const [other, { closed }] of past.steps) {
    const name = playbook.steps[other]?.name;
    if (closed === null || name === undefined || other >= at) continue;
    const paths = closed.files.map(({ path }) => path);
    const output: Value = paths.length === 1 ? (paths[0] ?? null) : paths;
    earlier.set(name, { output, count: closed.records, last: closed.last });
  }
  const of = (name: string): Mapping | undefined => earlier.get(name);
  try {
    const { inputs, frames } = await openStep(step, scopeOf({ config, unit: null, step: of }), files);
    const same = inputs.every(({ path, sha256 }) =>
      opened.inputs.some((one) => one.path === path && one.sha256 === sha256),
    );
    const frame = frames[unit];
    if (!same || inputs.length !== opened.inputs.length || frame === undefined) return null;
    const { system, user, tool } = unitOf({ config }, { step, outputOf: 'answer' }, frame, of);
    if (tool !== null) return `${tool.name} ${JSON.stringify(tool.input, null, 2)}`;
    return system === null ? user : `${system}\n\n${user}`;
  } catch (error) {
    if (error instanceof PlaybookFault) return null;
    throw error;
  }
}

const mapping = (value: unknown): Mapping => (isMapping(value as Value) ? (value as Mapping) : {});
