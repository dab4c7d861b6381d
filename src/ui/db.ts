import { AccessionDb } from '#adapters/browser/db.ts';

/** The page's own connection. Pages read; only `settings` is written from here. */
export const db = new AccessionDb();
