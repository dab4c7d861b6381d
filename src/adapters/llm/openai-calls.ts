/** Tool calls that come in one delta or in twenty, with an `index`, with a wrong one, or with none. */
import { type RawCall, readArguments } from './answer.ts';
import { isRecord } from '#core/agent/tools/canonical.ts';
import { countIn, type Json, objectIn, parseJson, textIn } from './json.ts';

interface Slot {
  index: number | null;
  id: string;
  name: string;
  text: string;
}

export interface CallCollector {
  /** One delta. */
  add(delta: Json): void;
  /** A call that is whole already. */
  whole(call: Json): void;
  all(): RawCall[];
}

export function createCallCollector(): CallCollector {
  const slots: Slot[] = [];
  const add = (delta: Json): void => {
    const fn = objectIn(delta['function']);
    const id = textIn(delta['id']);
    const name = textIn(fn['name']);
    const text = argumentText(fn['arguments']);
    const index = countIn(delta['index']);
    const slot = find(slots, index, id, name);
    if (slot === null) {
      slots.push({ index, id, name, text });
      return;
    }
    if (slot.id === '') slot.id = id;
    if (slot.name === '') slot.name = name;
    slot.text += text;
  };
  return {
    add,
    whole(call) {
      const fn = objectIn(call['function']);
      slots.push({
        index: null,
        id: textIn(call['id']),
        name: textIn(fn['name']),
        text: argumentText(fn['arguments']),
      });
    },
    all: () => slots.map(({ id, name, text }) => ({ id, name, arguments: readArguments(text) })),
  };
}

/** Some servers send the object itself. */
function argumentText(value: unknown): string {
  return isRecord(value) ? JSON.stringify(value) : textIn(value);
}

/** The call that a delta goes on with; null where it begins another. */
function find(slots: readonly Slot[], index: number | null, id: string, name: string): Slot | null {
  if (id !== '') {
    const same = slots.find((slot) => slot.id === id);
    if (same !== undefined) return same;
  }
  if (index !== null) {
    const there = slots.findLast((slot) => slot.index === index);
    // Some servers number every call 0: another id with a name of its own is another call.
    return there !== undefined && !(id !== '' && there.id !== '' && name !== '') ? there : null;
  }
  const last = slots.at(-1) ?? null;
  if (last === null) return null;
  if (id !== '' && last.id !== '') return null;
  // No mark at all: a name after arguments that are whole begins another call, else it is only repeated.
  return name !== '' && last.name !== '' && (name !== last.name || parseJson(last.text) !== undefined) ? null : last;
}
