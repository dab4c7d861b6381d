/** What was typed into the editor and not saved, for as long as the tab is open. */
import * as v from 'valibot';
import type { AlbumDraft } from './album-draft.ts';

const DraftSchema = v.object({
  title: v.string(),
  artist: v.string(),
  year: v.string(),
  is_compilation: v.boolean(),
  tracks: v.array(
    v.object({
      key: v.string(),
      id: v.nullable(v.string()),
      disc: v.string(),
      position: v.string(),
      title: v.string(),
      length: v.string(),
      ms: v.nullable(v.number()),
      artist: v.string(),
    }),
  ),
});

const nameOf = (slot: string): string => `catalog-draft:${slot}`;

export function keptDraft(slot: string): AlbumDraft | null {
  try {
    const parsed = v.safeParse(DraftSchema, JSON.parse(sessionStorage.getItem(nameOf(slot)) ?? 'null'));
    return parsed.success ? parsed.output : null;
  } catch {
    // Not readable: as good as none.
    return null;
  }
}

export function keepDraft(slot: string, draft: AlbumDraft): void {
  try {
    sessionStorage.setItem(nameOf(slot), JSON.stringify(draft));
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
