import type { LucideIcon } from '@lucide/svelte';

/** Something the palette can do. */
export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  run: () => unknown;
}
