/**
 * Bytes that may still be stored, as the browser says; null where it does not. Chromium answers ten gibibytes whatever
 * there is: only a small number means anything (STAGE-84).
 */
export async function freeSpace(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
}
