/** What the rest of the app loads of the Tools when somebody goes there. */
import { drawn, type Drawn } from '#ui/lane-ui.ts';
import { toolNamed } from '#core/toolbox/tools.ts';

/** The list, or one tool. Throws AccessionError `not_found` for a tool that there is not. */
export async function toolsPage(name: string | undefined): Promise<Drawn> {
  if (name === undefined) return drawn((await import('./page/ToolsPage.svelte')).default, {});
  const { allTools } = await import('./page/all-tools.ts');
  return drawn((await import('./page/ToolPage.svelte')).default, { tool: toolNamed(name, await allTools()) });
}
