/** From a text to a playbook (PB-1, PB-2), with every fault of its keys and their kinds. */
import { faultOf, PlaybookFault, type Fault, type Place } from '../faults.ts';
import { parseAnswerDivision, parseDivision } from '../division/parse.ts';
import { fieldOf, isList, isMapping, type Mapping, type Value } from '../value.ts';
import { didYouMean } from './nearest.ts';
import { LIMIT_KEYS, TOOL_LIMIT_KEYS, type Playbook, type Step } from './playbook.types.ts';
import { readYaml, type Read } from './yaml.ts';

export const MOST_PLAYBOOK = 256 * 1024;
export const MOST_CONFIG = 1024 * 1024;
const MOST_STEPS = 50;

const KEYS = ['playbook', 'name', 'description', 'config', 'limits', 'steps'];
const CONFIG_KEYS = ['required', 'defaults'];
/** Keys that a step may have (PB-2). */
export const STEP_KEYS = [
  ...['step', 'name', 'model', 'verbosity', 'system_prompt', 'instruction_user_prompt', 'multiple_parts', 'input'],
  ...['input_division', 'allow_empty', 'max_requery_iterations', 'agent', 'answer', 'answer_division', 'count'],
  ...['output', 'output_format', 'output_file_format', 'group_by', 'on_error', 'parallel', 'limits', 'tool', 'with'],
  'numbers',
];
const AGENT_KEYS = ['enabled', 'iterations', 'tools', 'domains', 'retriever', 'expand'];

export type PlaybookRead = { playbook: Playbook | null; faults: Fault[] };

/** Never throws. */
export function readPlaybook(text: string): PlaybookRead {
  const read = readYaml(text, MOST_PLAYBOOK);
  if (!read.ok) return { playbook: null, faults: [read.fault] };
  return new Reader(read).read();
}

/** A config: any keys. Throws PlaybookFault. */
export function readConfig(text: string): Mapping {
  const read = readYaml(text, MOST_CONFIG);
  if (!read.ok) {
    const { key, message, remedy, at } = read.fault;
    throw new PlaybookFault('playbook_syntax', key, `The config: ${message}`, { remedy, at });
  }
  if (read.value === null) return {};
  if (!isMapping(read.value)) throw new PlaybookFault('playbook_value', 'config', 'The config is no mapping.');
  return read.value;
}

class Reader {
  readonly #faults: Fault[] = [];
  readonly #root: Value;
  readonly #place: (path: readonly (string | number)[]) => Place | null;

  constructor(read: Extract<Read, { ok: true }>) {
    this.#root = read.value;
    this.#place = (path) => read.place(path);
  }

  read(): PlaybookRead {
    const root = this.#root;
    if (!isMapping(root)) {
      this.#fault('playbook_value', 'playbook', null, [], 'The text is no mapping.');
      return { playbook: null, faults: this.#faults };
    }
    this.#keys(root, KEYS, [], null);
    const version = fieldOf(root, 'playbook');
    if (version !== 1)
      this.#fault('playbook_version', String(version ?? 'playbook'), null, ['playbook'], `The version is not 1.`);
    const config = this.#mapping(root, 'config', []);
    this.#keys(config, CONFIG_KEYS, ['config'], null);
    const limits = this.#mapping(root, 'limits', []);
    this.#keys(limits, LIMIT_KEYS, ['limits'], null);
    const required = this.#texts(config, 'required', ['config'], null) ?? [];
    const list = fieldOf(root, 'steps');
    if (!isList(list) || list.length === 0 || list.length > MOST_STEPS) {
      this.#fault('playbook_value', 'steps', null, ['steps'], `"steps" is a list of 1 to ${MOST_STEPS}.`);
      return { playbook: null, faults: this.#faults };
    }
    const names = new Set<string>();
    const steps = list.flatMap((raw, at) => this.#step(raw, at, names) ?? []);
    const name = fieldOf(root, 'name');
    return {
      faults: this.#faults,
      playbook:
        steps.length < list.length
          ? null
          : {
              name: typeof name === 'string' ? name : null,
              required,
              defaults: this.#mapping(config, 'defaults', ['config']),
              limits,
              steps,
            },
    };
  }

  #step(raw: Value, at: number, names: Set<string>): Step | null {
    const path = ['steps', at];
    const fallback = `step ${at + 1}`;
    if (!isMapping(raw)) {
      this.#fault('playbook_value', 'steps', fallback, path, 'A step is a mapping.');
      return null;
    }
    const said = fieldOf(raw, 'name') ?? null;
    const name = said === null ? fallback : String(said);
    const wrong = (key: string, message: string): void =>
      this.#fault('playbook_value', key, name, [...path, key], message);
    if (said !== null && (typeof said !== 'string' || said.trim() === '' || said.length > 200))
      wrong('name', 'The name of a step is a text of at most 200 characters.');
    if (names.has(name)) wrong('name', `Two steps are called "${name}".`);
    names.add(name);
    this.#keys(raw, STEP_KEYS, path, name);
    const has = (key: string): boolean => (fieldOf(raw, key) ?? null) !== null;
    if (has('tool') === has('instruction_user_prompt'))
      wrong(has('tool') ? 'tool' : 'instruction_user_prompt', 'A step has either "instruction_user_prompt" or "tool".');
    if (has('output_format') && has('output_file_format'))
      wrong('output_file_format', '"output_file_format" is another word for "output_format": say one of them.');
    for (const key of ['multiple_parts', 'allow_empty'])
      if (has(key) && typeof fieldOf(raw, key) !== 'boolean') wrong(key, `"${key}" is true or false.`);
    for (const key of ['instruction_user_prompt', 'system_prompt', 'output', 'model', 'tool'])
      if (has(key) && typeof fieldOf(raw, key) !== 'string') wrong(key, `"${key}" is a text.`);
    const onError = fieldOf(raw, 'on_error') ?? null;
    if (onError !== null && onError !== 'stop' && onError !== 'skip') wrong('on_error', '"on_error" is stop or skip.');
    const numbers = fieldOf(raw, 'numbers') ?? null;
    if (numbers !== null && numbers !== 'free' && numbers !== 'traced')
      wrong('numbers', '"numbers" is free or traced.');
    const answer = fieldOf(raw, 'answer') ?? null;
    if (answer !== null && answer !== 'text' && answer !== 'json' && !isMapping(answer))
      wrong('answer', '"answer" is text, json or a JSON Schema.');
    for (const [key, keys] of [
      ['limits', [...LIMIT_KEYS, ...TOOL_LIMIT_KEYS]],
      ['agent', AGENT_KEYS],
    ] as const) {
      const value = fieldOf(raw, key) ?? null;
      if (value !== null && !isMapping(value)) wrong(key, `"${key}" is a mapping.`);
      else if (value !== null) this.#keys(value, keys, [...path, key], name);
    }
    const input = fieldOf(raw, 'input') ?? null;
    const inputs = input === null ? null : typeof input === 'string' ? [input] : this.#texts(raw, 'input', path, name);
    const groupBy = fieldOf(raw, 'group_by');
    return {
      at,
      name,
      raw,
      inputs,
      multiple: fieldOf(raw, 'multiple_parts') === true,
      division: this.#parsed(raw, 'input_division', name, path, parseDivision),
      answerDivision: this.#parsed(raw, 'answer_division', name, path, parseAnswerDivision),
      format: fieldOf(raw, 'output_format') ?? fieldOf(raw, 'output_file_format') ?? null,
      groupBy: typeof groupBy === 'string' ? [groupBy] : this.#texts(raw, 'group_by', path, name),
      place: (key) => this.#place(key === null ? path : [...path, key]),
    };
  }

  #parsed<T>(raw: Mapping, key: string, step: string, path: (string | number)[], parse: (text: string) => T): T | null {
    const said = fieldOf(raw, key) ?? null;
    if (said === null) return null;
    try {
      if (typeof said !== 'string') throw new PlaybookFault('playbook_value', key, `"${key}" is a text.`);
      return parse(said);
    } catch (error) {
      this.#faults.push(faultOf(error, step, this.#place([...path, key])));
      return null;
    }
  }

  #keys(mapping: Mapping, known: readonly string[], path: readonly (string | number)[], step: string | null): void {
    for (const key of Object.keys(mapping))
      if (!known.includes(key))
        this.#fault(
          'playbook_key',
          key,
          step,
          [...path, key],
          `There is no key "${key}" here.${didYouMean(key, known)}`,
        );
  }

  #mapping(of: Mapping, key: string, path: readonly (string | number)[]): Mapping {
    const value = fieldOf(of, key) ?? null;
    if (value === null) return {};
    if (isMapping(value)) return value;
    this.#fault('playbook_value', key, null, [...path, key], `"${key}" is a mapping.`);
    return {};
  }

  #texts(of: Mapping, key: string, path: readonly (string | number)[], step: string | null): string[] | null {
    const value = fieldOf(of, key) ?? null;
    if (value === null) return null;
    if (isList(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value;
    if (isList(value) && value.length === 0 && key === 'required') return [];
    this.#fault('playbook_value', key, step, [...path, key], `"${key}" is a list of texts.`);
    return null;
  }

  #fault(
    code: 'playbook_key' | 'playbook_value' | 'playbook_version',
    key: string,
    step: string | null,
    path: readonly (string | number)[],
    message: string,
  ): void {
    this.#faults.push(faultOf(new PlaybookFault(code, key, message), step, this.#place(path)));
  }
}
