import type { LaneSettings } from '#ui/lane-ui.ts';
import ModelNames from './settings/ModelNames.svelte';

export const settings: LaneSettings = {
  sections: [{ id: 'playbooks', label: 'Playbooks', before: 'archives', Section: ModelNames }],
};
