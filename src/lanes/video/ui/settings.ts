import type { LaneSettings } from '#ui/lane-ui.ts';

export const settings: LaneSettings = {
  actions: {
    'show.created': 'added a show',
    'show.changed': 'changed a show',
    'show.deleted': 'deleted a show',
    'plan.proposed': 'proposed a plan for videos',
    'plan.changed': 'changed a plan for videos',
    'plan.completed': 'confirmed a plan for videos',
    'plan.rejected': 'rejected a plan for videos',
    'plan.renamed': 'renamed videos on the server',
    'plan.undone': 'took a renaming of videos back',
  },
};
