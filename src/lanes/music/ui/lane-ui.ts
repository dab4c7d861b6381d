import Disc3 from '@lucide/svelte/icons/disc-3';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { drawn, laneUi } from '#ui/lane-ui.ts';
import { groupTitle } from './ingest/group-title.ts';
import { resultName } from './ingest/result-name.ts';
import MatchCell from './ingest/MatchCell.svelte';
import { pendingRequests } from './ingest/requests.ts';
import { joins } from './review/joins.ts';
import { player } from './player/player.svelte.ts';

export const ui = laneUi<MusicTypes>({
  id: 'music',
  places: [{ id: 'catalog', path: 'catalog', label: 'Catalog', icon: Disc3 }],
  lists: [
    { path: 'catalog', label: 'Albums' },
    { path: 'catalog/requests', label: 'Requests' },
  ],
  pages: [
    {
      path: 'catalog/requests',
      load: async () => drawn((await import('./catalog/RequestsPage.svelte')).default, {}),
    },
    { path: 'catalog', load: async () => drawn((await import('./catalog/Browser.svelte')).default, {}) },
    {
      path: 'catalog/new',
      load: async (_, query) =>
        drawn((await import('./catalog/NewAlbum.svelte')).default, { reviewId: query.get('review') }),
    },
    {
      path: 'catalog/albums/[id]',
      load: async ({ id = '' }) => drawn((await import('./catalog/AlbumPage.svelte')).default, { id }),
    },
    {
      path: 'catalog/albums/[id]/edit',
      load: async ({ id = '' }) => drawn((await import('./catalog/EditAlbum.svelte')).default, { id }),
    },
  ],
  rows: {
    Match: MatchCell,
    title: groupTitle,
    resultName,
    // A file that fits is not unsure by itself while its album is asked about, and of a person's word nobody is unsure.
    confidence: ({ matched_track_id, match_confidence, match_source, phase, match }) =>
      matched_track_id === null ||
      match_source === 'HUMAN_REVIEW' ||
      (phase === 'review' && match?.why?.limit === 'album_in_doubt')
        ? null
        : match_confidence,
    settled: ({ match_source }) => (match_source === 'HUMAN_REVIEW' ? 'You decided' : null),
    words: ({ matched_title, matched_album, evidence }) => [
      matched_title,
      matched_album,
      evidence?.tags.artist,
      evidence?.tags.album,
    ],
  },
  player,
  loadDock: () => import('./player/ListenDock.svelte'),
  requests: { pending: pendingRequests },
  searches: async () => (await import('./catalog/palette-search.ts')).searches,
  keys: async () => [
    {
      name: 'Listening',
      keys: [
        ['Space', 'Play or pause'],
        ['← →', 'Five seconds back or on'],
        ['X', 'Switch between your file and the catalog'],
        ['Esc', 'Stop listening'],
      ],
    },
  ],
  formats: 'MP3, FLAC, M4A, Ogg, Opus, WAV, AIFF, WMA',
  judged: async () => (await import('./history/judged.ts')).judged(),
  joins,
  questions: async () => (await import('./review/questions.ts')).questions,
  traces: async () => (await import('./trace/traces.ts')).traces,
  settings: async () => (await import('./settings/settings.ts')).settings,
});
