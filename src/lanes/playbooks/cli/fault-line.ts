/** A fault as the terminal says it. */
import { FAULT_CODES, type Fault, type FaultCode } from '#lanes/playbooks/core/faults.ts';

/** The options that do what the remedy says. */
const OPTIONS: Partial<Record<Fault['code'], string>> = {
  config_missing: '--set KEY=VALUE',
  output_exists: '--overwrite',
  model_unmapped: '--model-map NAME=PROVIDER/MODEL',
  domains_unagreed: '--domains PATTERNS',
  code_unagreed: '--agree HASH',
  budget: '--limit KEY=VALUE',
  run_changed: '--reuse RUN',
} satisfies Partial<Record<FaultCode, string>>;

const USUAL: Partial<Record<Fault['code'], string>> = FAULT_CODES;

/** One line: place, step, what, and what to do. */
export function faultLine({ code, step, at, message, remedy }: Fault): string {
  const where = [
    ...(at === null ? [] : [`line ${at.line}, column ${at.column}`]),
    ...(step === null ? [] : [`step "${step}"`]),
  ].join(', ');
  const option = OPTIONS[code];
  const how = option === undefined || remedy !== USUAL[code] ? remedy : `${remedy.slice(0, -1)} (${option}).`;
  return `${where === '' ? '' : `${where}: `}${message} ${how} (${code})`;
}
