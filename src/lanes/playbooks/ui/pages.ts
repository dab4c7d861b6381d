/** What the rest of the app loads of playbooks when somebody goes there. */
import { drawn, type Drawn } from '#ui/lane-ui.ts';

export async function playbookPage(
  path: string,
  { id = '', other = '' }: Readonly<Record<string, string>>,
): Promise<Drawn> {
  switch (path) {
    case '/[id]':
      return drawn((await import('./page/BookPage.svelte')).default, { id });
    case '/runs/[id]':
      return drawn((await import('./page/run/RunPage.svelte')).default, { id });
    case '/shared/[id]':
      return drawn((await import('./page/run/SharedRunPage.svelte')).default, { id });
    case '/runs/[id]/beside/[other]':
      return drawn((await import('./page/run/DiffPage.svelte')).default, { id, other });
    default:
      return drawn((await import('./page/PlaybooksPage.svelte')).default, {});
  }
}
