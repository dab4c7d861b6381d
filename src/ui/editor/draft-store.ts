/** What was typed into an editor and not saved, for as long as the tab is open. */
import * as v from 'valibot';

const nameOf = (slot: string): string => `catalog-draft:${slot}`;

/** Null where none is kept, or none of this form. */
export function keptDraft<D>(slot: string, schema: v.GenericSchema<unknown, D>): D | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(sessionStorage.getItem(nameOf(slot)) ?? 'null'));
    return parsed.success ? parsed.output : null;
  } catch {
    // Not readable: as good as none.
    return null;
  }
}

/** `text`: the draft as JSON. */
export function keepDraft(slot: string, text: string): void {
  try {
    sessionStorage.setItem(nameOf(slot), text);
  } catch {
    // Full or forbidden: the form itself still has it, and the guard asks before it is left.
  }
}

export function forgetDraft(slot: string): void {
  try {
    sessionStorage.removeItem(nameOf(slot));
  } catch {
    // Forbidden: then nothing was kept either.
  }
}
