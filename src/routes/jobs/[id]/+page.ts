import { withParts } from '#ui/lanes.ts';

export const load = withParts('traces');
