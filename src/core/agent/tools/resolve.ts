/** Between the model's handles and real ids. Provenance: what was never shown cannot be referred to. */
import { entityOf, handleOf, type Entities } from './handles.ts';
import { isRecord } from './canonical.ts';

type References = Readonly<Record<string, string>>;

/** The input with real ids where it has handles that are known; everything else stays as it was written. */
export function resolveHandles(input: unknown, references: References, entities: Entities): unknown {
  return mapReferences(input, references, (kind, text) => entityOf(entities, kind, text)?.id ?? text);
}

/** The input as the model may read it: real ids back to handles. */
export function hideIds(input: unknown, references: References, entities: Entities): unknown {
  return mapReferences(input, references, (kind, id) => handleOf(entities, kind, id) ?? id);
}

/** The first reference that is no entity of this workflow, as it was written; null when all are known. */
export function unknownReference(
  input: unknown,
  references: References,
  entities: Entities,
): { field: string; kind: string; value: string } | null {
  if (!isRecord(input)) return null;
  for (const [field, kind] of Object.entries(references)) {
    const value = input[field];
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string' && handleOf(entities, kind, one) === null) return { field, kind, value: one };
    }
  }
  return null;
}

function mapReferences(
  input: unknown,
  references: References,
  replace: (kind: string, value: string) => string,
): unknown {
  if (!isRecord(input)) return input;
  const next: Record<string, unknown> = { ...input };
  for (const [field, kind] of Object.entries(references)) {
    const value = next[field];
    if (typeof value === 'string') next[field] = replace(kind, value);
    if (Array.isArray(value))
      next[field] = value.map((one: unknown) => (typeof one === 'string' ? replace(kind, one) : one));
  }
  return next;
}
