import type { Load } from '@sveltejs/kit';
import { loadParts } from '#ui/lanes.ts';

export const load: Load = async ({ parent }) => {
  await parent();
  await loadParts('traces');
};
