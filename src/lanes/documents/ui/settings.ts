import type { LaneSettings } from '#ui/lane-ui.ts';
import DocumentsSection from './settings/DocumentsSection.svelte';

export const settings: LaneSettings = {
  sections: [{ id: 'documents', label: 'Documents', before: 'archives', Section: DocumentsSection }],
};
