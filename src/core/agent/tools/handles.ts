/**
 * Handles: what the model calls an entity (`T3`, the third track shown). One letter a kind and a number, given once and
 * stable within a workflow. Real ids never reach a prompt, so none can be made up or smuggled in.
 */
import type { Entity } from '../workflow/workflow.ts';
import { isRecord } from './tool.ts';

export type Entities = Readonly<Record<string, Entity>>;

/** The entities with those that are new; the same object when none is. */
export function showEntities(entities: Record<string, Entity>, shown: readonly Entity[]): Record<string, Entity> {
  let next = entities;
  for (const { kind, id } of shown) {
    if (handleOf(next, kind, id) !== null) continue;
    const letter = letterOf(next, kind);
    const count = Object.values(next).filter((entity) => entity.kind === kind).length;
    next = { ...next, [`${letter}${count + 1}`]: { kind, id } };
  }
  return next;
}

export function handleOf(entities: Entities, kind: string, id: string): string | null {
  for (const [handle, entity] of Object.entries(entities)) {
    if (entity.kind === kind && entity.id === id) return handle;
  }
  return null;
}

/** Handles of a kind, in the order in which they were given. */
export function handlesOfKind(entities: Entities, kind: string): string[] {
  return Object.keys(entities).filter((handle) => entities[handle]?.kind === kind);
}

/** The entity of `T3`, however the model wrote it; null for what was never shown or is of another kind. */
function entityOf(entities: Entities, kind: string, handle: string): Entity | null {
  const name = handle.trim().toUpperCase();
  const entity = Object.hasOwn(entities, name) ? entities[name] : undefined;
  return entity?.kind === kind ? entity : null;
}

/** The kind's own letter, or the first of its letters that no other kind has. */
function letterOf(entities: Entities, kind: string): string {
  const taken = new Set<string>();
  for (const [handle, entity] of Object.entries(entities)) {
    const letter = handle.charAt(0);
    if (entity.kind === kind) return letter;
    taken.add(letter);
  }
  const wished = [...kind.toUpperCase().replace(/[^A-Z]/g, ''), ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return wished.find((letter) => !taken.has(letter)) ?? 'X';
}

/** Between the model's handles and real ids. Provenance: what was never shown cannot be referred to. */

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
