/** Templates of a tool: `{field}` is what the input says. */
import { isRecord } from '#core/agent/tools/tool.ts';

const WHOLE = /^\{(\w+)\}$/;
const FIELD = /\{(\w+)\}/g;

/** A text that is one field and nothing else is the field's value; a field that was not said is left out of its object. */
export function filled(template: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const [, whole] = WHOLE.exec(template) ?? [];
    if (whole !== undefined) return input[whole];
    return template.replaceAll(FIELD, (_, name: string) => said(input[name]));
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, input));
  if (!isRecord(template)) return template;
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, one]) => {
      const value = filled(one, input);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** An address: no field can end its part of it. */
export const filledAddress = (template: string, input: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(FIELD, (_, name: string) => encodeURIComponent(said(input[name])));

const said = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** What a JSON pointer leads to; undefined: nothing. */
export function pointedAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined;
    else at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}
