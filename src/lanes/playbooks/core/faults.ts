/**
 * What can be wrong with a playbook, its config, its inputs and its run. The codes are those of LANGUAGE.md. What to do is said
 * in words that hold on a page as in the terminal, which adds its options (cli/fault-line.ts).
 */
import { AccessionError, type FailureCode } from '#core/errors.ts';

export const FAULT_CODES = {
  playbook_syntax: 'Correct the text at this place.',
  playbook_version: 'Say "playbook: 1".',
  playbook_key: 'Take the key out, or spell it as the language does.',
  playbook_value: 'Give the key a value of the kind that it takes.',
  config_missing: 'Give it a value in the config.',
  token_syntax: 'Write the token as the language does, or double its brace to keep it as text.',
  token_missing: 'Give it a value, or the token a default: {config:name|default}.',
  token_type: 'Name a place that a value of this kind has.',
  token_scope: 'Use a token that can be had at this place.',
  token_cycle: 'Give one of them a value that does not name the others.',
  path_outside: 'Name a path below the root folder.',
  input_missing: 'Put the file there, or correct the path.',
  input_empty: 'Put a file there, correct the pattern, or say "allow_empty: true".',
  input_later: 'Put the steps in another order, or read another file.',
  input_damaged: 'Get an intact copy of the file.',
  input_type: 'Use .json, .jsonl, .csv, .tsv, .yaml, .md or .txt.',
  division_syntax: 'Write levels with + or > between them: file + array.',
  division_type: 'Use a file that holds an array there, or another division.',
  output_exists: 'Take the file away, name another one, or let the run overwrite it.',
  output_twice: 'Give each step an output of its own.',
  output_type: 'Use .json, .jsonl, .csv, .md or .txt.',
  group_missing: 'Group by fields that every unit has.',
  answer_invalid: 'Ask for the form more plainly, or use another model.',
  model_unmapped:
    'Map it in Settings, Playbooks; for the terminal and workers under [playbooks.models] in accession.toml.',
  tool_unknown: 'Take the tool out of the step, or use one that there is.',
  domains_unagreed: 'Read the playbook; then agree to these domains where it is run.',
  code_unagreed: 'Read the code; then agree to it where the playbook is run.',
  tool_failed: 'Look at what the tool was given.',
  paused: 'Resume the run when you like.',
  budget: 'Raise the limit and resume the run.',
  cancelled: 'Resume the run when you like.',
  too_large: 'Use smaller files, or divide the work.',
  run_changed: 'Begin a new run that takes over what is the same: it asks only for what changed.',
  storage_full: 'Free space and resume the run.',
} as const;
export type FaultCode = keyof typeof FAULT_CODES;

export interface Place {
  /** From 1. */
  line: number;
  column: number;
}

export interface Fault {
  /** A code of the language, or of a failure of the model. */
  code: FaultCode | FailureCode;
  /** What it is about: a key, a token, a path. */
  key: string;
  /** Name of the step; null: of none. */
  step: string | null;
  /** In the playbook's text; null where that is not known. */
  at: Place | null;
  /** One sentence. */
  message: string;
  /** One sentence: what to do. */
  remedy: string;
}

export class PlaybookFault extends Error {
  readonly code: Fault['code'];
  readonly key: string;
  readonly remedy: string;
  /** Where it was found; whoever knows the step and the place fills them in. */
  readonly at: Place | null;
  constructor(code: FaultCode, key: string, message: string, more: { remedy?: string; at?: Place | null } = {}) {
    super(message);
    this.name = 'PlaybookFault';
    this.code = code;
    this.key = key;
    this.remedy = more.remedy ?? FAULT_CODES[code];
    this.at = more.at ?? null;
  }
}

/** The fault in what was thrown; anything else is thrown on. */
export function faultOf(thrown: unknown, step: string | null, at: Place | null = null): Fault {
  if (thrown instanceof PlaybookFault)
    return {
      code: thrown.code,
      key: thrown.key,
      step,
      at: thrown.at ?? at,
      message: thrown.message,
      remedy: thrown.remedy,
    };
  if (thrown instanceof AccessionError) {
    const { code, message, remedy, subject } = thrown.failure;
    return { code, key: subject ?? step ?? '', step, at, message, remedy };
  }
  throw thrown;
}
