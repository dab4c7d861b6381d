import type { LaneCli } from '#cli/lane-cli.ts';

export const cli: LaneCli = { id: 'guide', commands: [] };
