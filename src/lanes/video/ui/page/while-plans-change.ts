/** When to look at the server's plans again. */
import { liveQuery } from 'dexie';
import { plansAnnouncedRow } from '#ui/client/db.ts';

/** Between two looks while the page is in sight, for what the socket did not say. Milliseconds. */
const EVERY_MS = 60_000;

/** Looks now, when the server speaks of a plan, and now and again, while the page is in sight; the answer ends it. */
export function whilePlansChange(look: () => void): () => void {
  const lookInSight = (): void => {
    if (document.visibilityState === 'visible') look();
  };
  // Its first answer is the first look.
  const heard = liveQuery(plansAnnouncedRow).subscribe({ next: lookInSight, error: lookInSight });
  const timer = setInterval(lookInSight, EVERY_MS);
  document.addEventListener('visibilitychange', lookInSight);
  return () => {
    heard.unsubscribe();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', lookInSight);
  };
}
