import type { LaneSettings } from '#ui/lane-ui.ts';
import GuideSection from './settings/GuideSection.svelte';

export const settings: LaneSettings = {
  sections: [{ id: 'guide', label: 'Guide', before: 'archives', Section: GuideSection }],
};
