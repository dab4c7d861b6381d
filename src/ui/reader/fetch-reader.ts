/** Has the reader and pdf.js loaded before they are wanted, so that they are there without a network, too. */
export async function fetchReader(): Promise<void> {
  try {
    const [{ fetchView }] = await Promise.all([import('../client/pdf-view.ts'), import('./Reader.svelte')]);
    await fetchView();
  } catch {
    // Without a network it is loaded another time.
  }
}
