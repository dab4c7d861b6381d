import { fnv1a } from '#core/fnv1a.ts';
import type { StringTable } from '#core/index/strings.ts';
import { SLICE } from './text-index.ts';

/** Finds a row by its id: open addressing over a 32-bit hash of the id, rows counted from 1, 0 for an empty slot. */
export function* buildIdTable(ids: StringTable, idOfRow: Uint32Array): Generator<void, Uint32Array> {
  let size = 16;
  while (size < idOfRow.length * 2) size *= 2;
  const slots = new Uint32Array(size);
  for (let row = 0; row < idOfRow.length; row++) {
    if (row % (SLICE * 5) === 0) yield;
    let slot = fnv1a(ids.text(idOfRow[row] ?? 0)) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = row + 1;
  }
  return slots;
}

/** The row of an id, or -1. */
export function findRow(slots: Uint32Array, ids: StringTable, idOfRow: Uint32Array, id: string): number {
  const mask = slots.length - 1;
  for (let slot = fnv1a(id) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const row = (slots[slot] ?? 1) - 1;
    if (ids.text(idOfRow[row] ?? 0) === id) return row;
  }
  return -1;
}
