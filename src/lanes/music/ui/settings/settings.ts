import type { LaneSettings } from '#ui/lane-ui.ts';
import LostResults from './LostResults.svelte';
import MatchingSection from './MatchingSection.svelte';
import OutputSection from './OutputSection.svelte';

export const settings: LaneSettings = {
  sections: [
    { id: 'matching', label: 'Matching', before: 'model', Section: MatchingSection },
    { id: 'output', label: 'Output', before: 'archives', Section: OutputSection },
  ],
  Sync: LostResults,
  actions: {
    'artist.created': 'created an artist',
    'artist.changed': 'changed an artist',
    'album.created': 'created an album',
    'album.changed': 'changed an album',
    'album.cover': 'changed the cover of an album',
    'album.cover_lost': 'gave a damaged cover up',
    'track.created': 'created a track',
    'track.changed': 'changed a track',
    'track.published': 'published audio',
    'track.replaced': 'replaced audio',
    'track.unpublished': 'unpublished audio',
    'track.restored': 'restored audio',
    'request.created': 'asked for music',
    'request.withdrawn': 'withdrew a request',
    'album.merged': 'merged an album into another one',
    'album.removed': 'removed an album',
    'track.merged': 'merged a track into another one',
    'track.moved': 'moved a track to another album',
    'track.removed': 'removed a track',
    'catalog.taken_back': 'took a change of the catalog back',
  },
};
