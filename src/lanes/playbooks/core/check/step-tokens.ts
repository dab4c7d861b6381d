/** Every token of a step, before anything runs (PB-40): its form, whether it can be had where it stands, and those of the config. */
import { faultOf, PlaybookFault, type Fault } from '../faults.ts';
import type { Step } from '../read/playbook.types.ts';
import { didYouMean } from '../read/nearest.ts';
import type { ConfigValues } from '../tokens/config-values.ts';
import { parseTemplate } from '../tokens/parse.ts';
import type { Template, Token } from '../tokens/token.types.ts';
import { isList, isMapping, type Value } from '../value.ts';
import { withOf } from './free-code.ts';

/** Keys whose texts are expanded for each unit, those that know the answer, and those of the step as a whole. */
const OF_UNIT = ['system_prompt', 'instruction_user_prompt', 'count', 'model', 'with'];
const OF_ANSWER = ['output', 'output_format', 'output_file_format'];
const OF_STEP = ['verbosity', 'max_requery_iterations', 'agent', 'input', 'parallel', 'limits'];
/** What an earlier step is asked for. */
const OF_EARLIER = ['output', 'count', 'last'];

export interface Found {
  faults: Fault[];
  /** `{name}` that stays as it stands, since the config has no such key. */
  notes: string[];
}

export function checkStepTokens(step: Step, earlier: readonly string[], config: ConfigValues): Found {
  const faults: Fault[] = [];
  const notes = new Set<string>();
  for (const key of [...OF_UNIT, ...OF_ANSWER, ...OF_STEP]) {
    for (const text of textsIn(key === 'with' ? withOf(step.raw).expanded : (step.raw[key] ?? null))) {
      const wrong = (error: unknown): void => {
        faults.push(faultOf(error, step.name, step.place(key)));
      };
      let template: Template;
      try {
        template = parseTemplate(text);
      } catch (error) {
        wrong(error);
        continue;
      }
      for (const token of tokensOf(template)) check(token, key, wrong);
    }
  }
  return { faults, notes: [...notes] };

  function check(token: Token, key: string, wrong: (error: unknown) => void): void {
    const { ref, said } = token;
    try {
      if (ref.from === 'bare') {
        if (!config.has(ref.name) && !said.startsWith('{'))
          notes.add(
            `step "${step.name}": {${said}} stays as it stands; the config has no "${said}".${didYouMean(said, Object.keys(config.raw))}`,
          );
        config.get([{ kind: 'key', key: ref.name }], said);
        return;
      }
      if (ref.from === 'config') {
        if (config.get(ref.path, said) !== undefined) return;
        if (token.default === null) {
          const name = said.slice('config:'.length);
          throw new PlaybookFault(
            'token_missing',
            said,
            `The config has no "${name}", and {${said}} has no default.${didYouMean(name, Object.keys(config.raw))}`,
          );
        }
      } else place(token, key);
    } catch (error) {
      wrong(error);
      return;
    }
    if (token.default?.kind === 'text') for (const inner of tokensOf(token.default.text)) check(inner, key, wrong);
  }

  function place({ ref, said }: Token, key: string): void {
    const nothing = (why: string): PlaybookFault =>
      new PlaybookFault('token_scope', said, `{${said}} cannot be had in "${key}": ${why}.`);
    if (ref.from === 'step') {
      if (!earlier.includes(ref.step))
        throw nothing(`no earlier step is called "${ref.step}"${didYouMean(ref.step, earlier)}`);
      const [first] = ref.path;
      if (first?.kind !== 'key' || !OF_EARLIER.includes(first.key))
        throw nothing(`a step has ${OF_EARLIER.join(', ')}`);
    }
    const answered = OF_ANSWER.includes(key);
    if (ref.from === 'output' && !answered) throw nothing('there is no answer yet');
    if (ref.from !== 'unit') return;
    if (OF_STEP.includes(key)) throw nothing('it is of the whole step');
    const first = ref.path[0];
    const asOutput = ref.ups === 0 && first?.kind === 'key' && first.key === 'output';
    if (step.inputs === null && !(answered && (key !== 'output' || asOutput))) throw nothing('the step has no input');
  }
}

const tokensOf = ({ parts }: Template): Token[] => parts.flatMap((part) => (part.kind === 'token' ? [part] : []));

export function textsIn(value: Value): string[] {
  if (typeof value === 'string') return value.includes('{') ? [value] : [];
  if (isList(value)) return value.flatMap(textsIn);
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether a text needs the unit, the answer, or an earlier step. Throws PlaybookFault `token_syntax`. */
export function needs(text: string): { unit: boolean; output: boolean; step: boolean } {
  const found = { unit: false, output: false, step: false };
  const look = (template: Template): void => {
    for (const { ref, default: other } of tokensOf(template)) {
      const first = 'path' in ref ? ref.path[0] : undefined;
      const asOutput = ref.from === 'unit' && ref.ups === 0 && first?.kind === 'key' && first.key === 'output';
      if (ref.from === 'output' || asOutput) found.output = true;
      else if (ref.from === 'unit') found.unit = true;
      else if (ref.from === 'step') found.step = true;
      if (other?.kind === 'text') look(other.text);
    }
  };
  look(parseTemplate(text));
  return found;
}
