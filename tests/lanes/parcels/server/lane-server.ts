import type { LaneServer } from '#server/lane-server.ts';
import { sortParcels } from '../core/sort-parcels.ts';

export const server: LaneServer = {
  id: 'parcels',
  tables: {},
  audit: [],
  feeds: [],
  imports: [],
  routes: () => [],
  plans: { kinds: [sortParcels], tools: () => [] },
};
