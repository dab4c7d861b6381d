/**
 * Handles: what the model calls an entity (`T3`, the third track shown). One letter a kind and a number, given once and
 * stable within a workflow. Real ids never reach a prompt, so none can be made up or smuggled in.
 */
import type { Entity } from '../workflow/workflow.ts';

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
export function entityOf(entities: Entities, kind: string, handle: string): Entity | null {
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
