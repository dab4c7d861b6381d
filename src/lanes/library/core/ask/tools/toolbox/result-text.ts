/** What a tool answered, as one sentence that an answer can quote: its own sentence first, then its values by name. */
import { isRecord } from '#core/agent/tools/tool.ts';

/** Characters; the rest is in the result. */
const MOST = 1200;
const DIGITS = 6;
const APART = new Set(['sentence', 'svg', 'exports', 'r_script', 'mathjson', 'types', 'warnings']);

export function resultText(tool: string, output: Readonly<Record<string, unknown>>): string {
  const { sentence } = output;
  const values = Object.entries(output)
    .filter(([name, value]) => !APART.has(name) && value !== null)
    .map(([name, value]) => `${name} = ${said(value)}`);
  const text = `${tool}: ${[...(typeof sentence === 'string' ? [sentence] : []), ...values].join('; ')}`;
  return text.length <= MOST ? text : `${text.slice(0, MOST)} ...`;
}

function said(value: unknown): string {
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
  if (Array.isArray(value)) return `[${value.map(said).join(', ')}]`;
  if (isRecord(value)) return `{${Object.entries(value).map(([name, one]) => `${name}: ${said(one)}`).join(', ')}}`; // prettier-ignore
  return String(value as string | boolean | null).replaceAll(/\s+/g, ' ');
}
