/** The playbooks that ship with the product, written by us. */
import { FOUR_STAGES } from './four-stages.ts';
import type { ShippedPlaybook } from './shipped.types.ts';
import { SORT_NOTES } from './sort-notes.ts';

export const SHIPPED: readonly ShippedPlaybook[] = [SORT_NOTES, FOUR_STAGES];

export const shippedOf = (id: string | null): ShippedPlaybook | null => SHIPPED.find((one) => one.id === id) ?? null;
