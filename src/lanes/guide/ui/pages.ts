/** What the rest of the app loads of the Guide when somebody goes there. */
import { drawn, type Drawn, type KeyGroup } from '#ui/lane-ui.ts';

export async function guidePage(view: string): Promise<Drawn> {
  const known = VIEWS.find(({ id }) => id === view) ?? VIEWS[0];
  return drawn((await import('./page/GuidePage.svelte')).default, { view: known.id });
}

export const VIEWS = [
  { id: 'grid', path: 'guide', label: 'Grid' },
  { id: 'health', path: 'guide/health', label: 'Health' },
  { id: 'runs', path: 'guide/runs', label: 'Runs' },
  { id: 'channels', path: 'guide/channels', label: 'Channels' },
] as const;
export type View = (typeof VIEWS)[number]['id'];

export const keys: readonly KeyGroup[] = [
  {
    name: 'Guide, grid',
    keys: [
      ['←', 'Programme before'],
      ['→', 'Next programme'],
      ['↑', 'Channel above, at the same time'],
      ['↓', 'Channel below, at the same time'],
      ['Enter', 'What source and mends say of the programme'],
    ],
  },
];
