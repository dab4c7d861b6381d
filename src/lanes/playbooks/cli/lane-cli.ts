import type { LaneCli } from '#cli/lane-cli.ts';
import { playbookCommand } from './playbook-command.ts';

export const cli: LaneCli = {
  id: 'playbooks',
  commands: [playbookCommand],
  openTaker: async (place) => (await import('./open-taker.ts')).openTaker(place),
};
