/** Why a sentence may not be said with its quotes. */
export const FAULTS = [
  'no quote',
  'quote not in its source',
  'number',
  'date',
  'name',
  'negation',
  'opposite',
  'quantifier',
  'hedge',
  'cause',
  'condition',
  'other clause',
  'words',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  kind: FaultKind;
  /** A short sentence for a person: what is in the sentence and not in the quotes. */
  text: string;
}

export interface Verdict {
  supported: boolean;
  faults: Fault[];
}
