/** Values as YAML and JSON have them, handled so that no key of theirs reaches a prototype. */

export type Value = null | boolean | number | string | Value[] | Mapping;
export interface Mapping {
  [key: string]: Value;
}

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is Value[] => Array.isArray(value);

/** Own fields only; undefined where there is none. */
export const fieldOf = (mapping: Mapping, key: string): Value | undefined =>
  Object.hasOwn(mapping, key) ? mapping[key] : undefined;

/** Sets an own field, whatever it is called. */
export function put(mapping: Mapping, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
  else mapping[key] = value;
}

export function mappingOf(entries: Iterable<readonly [string, Value]>): Mapping {
  const mapping: Mapping = {};
  for (const [key, value] of entries) put(mapping, key, value);
  return mapping;
}

const isScalar = (value: Value): value is null | boolean | number | string => !isMapping(value) && !isList(value);

/** PB-10: a value as it stands in a text. */
export function printed(value: Value): string {
  if (typeof value === 'string') return value;
  if (isList(value) && value.every(isScalar)) return value.map(printed).join(', ');
  return JSON.stringify(value);
}

/** Order by code points, as PB-20 wants it. */
export function byCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const one = left.next();
    const other = right.next();
    if (one.done === true) return -1;
    if (other.done === true) return 1;
    if (one.value !== other.value) return (one.value.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0);
  }
}
