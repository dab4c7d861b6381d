/** A playbook that was found right. */
import type { Playbook, Step } from '../read/playbook.types.ts';
import type { RecordTemplate } from '../records/template.ts';
import type { ConfigValues } from '../tokens/config-values.ts';
import type { Written } from './inputs.ts';
import type { Limits, StepValues } from './step-values.ts';

export interface PreparedStep {
  step: Step;
  values: StepValues;
  template: RecordTemplate | null;
  /** What its output comes to; null: it writes no file. */
  written: Written | null;
  /** Its output depends on the unit, or on the answer. */
  outputOf: 'step' | 'unit' | 'answer';
}

export interface Prepared {
  playbook: Playbook;
  config: ConfigValues;
  limits: Limits;
  steps: PreparedStep[];
  overwrite: boolean;
}
