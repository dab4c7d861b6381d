import type { LaneSettings } from '#ui/lane-ui.ts';
import ToolLimits from './settings/ToolLimits.svelte';

export const settings: LaneSettings = {
  sections: [{ id: 'tools', label: 'Tools', before: 'archives', Section: ToolLimits }],
};
