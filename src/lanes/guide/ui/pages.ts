/** What the rest of the app loads of the Guide when somebody goes there. */
import { VIEWS } from './view-list.ts';
import { drawn, type Drawn, type KeyGroup } from '#ui/lane-ui.ts';

export async function guidePage(view: string): Promise<Drawn> {
  const known = VIEWS.find(({ id }) => id === view) ?? VIEWS[0];
  return drawn((await import('./page/GuidePage.svelte')).default, { view: known.id });
}

export const keys: readonly KeyGroup[] = [
  {
    name: 'Guide, grid',
    keys: [
      ['← →', 'Programme before or after, as the page is read'],
      ['↑', 'Channel above, at the same time'],
      ['↓', 'Channel below, at the same time'],
      ['Enter', 'What source and mends say of the programme'],
    ],
  },
];
