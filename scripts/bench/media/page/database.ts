import { AccessionDb } from '#adapters/browser/db.ts';
import { tables as music } from '#lanes/music/browser/schema.ts';
import { tables as video } from '#lanes/video/browser/schema.ts';

/** The app's own database, as its workers open it; the lanes' other parts are not loaded into the bench's page. */
export const openAppDatabase = (): AccessionDb => new AccessionDb([...music, ...video]);
