import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { up as catalog } from './migrations/0001-catalog.ts';
import { up as ingestion } from './migrations/0002-ingestion.ts';
import { up as modelUsage } from './migrations/0003-model-usage.ts';
import { up as users } from './migrations/0004-users.ts';
import { up as work } from './migrations/0005-work.ts';
import { up as ingestionUpdates } from './migrations/0006-ingestion-updates.ts';
import { up as workSaved } from './migrations/0007-work-saved.ts';
import { up as formerOfTrack } from './migrations/0008-former-of-track.ts';
import { up as modelRequests } from './migrations/0009-model-requests.ts';
import { up as shows } from './migrations/0010-shows.ts';
import { up as learned } from './migrations/0011-learned.ts';
import type { Database } from './schema.ts';

/** Every form the database had before lanes brought their own, and what all lanes share, oldest first. A released one is never edited: changes are new entries. */
const MIGRATIONS: Migrations = {
  '0001-catalog': { up: catalog },
  '0002-ingestion': { up: ingestion },
  '0003-model-usage': { up: modelUsage },
  '0004-users': { up: users },
  '0005-work': { up: work },
  '0006-ingestion-updates': { up: ingestionUpdates },
  '0007-work-saved': { up: workSaved },
  '0008-former-of-track': { up: formerOfTrack },
  '0009-model-requests': { up: modelRequests },
  '0010-shows': { up: shows },
  '0011-learned': { up: learned },
};

/** Migrations by their names, which sort in the order in which they are made. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings the database to the newest form; forward only. Throws when a step fails, which then changed nothing.
 * @param ofLanes those that lanes bring, numbered on from those here
 */
export async function migrate(db: Kysely<Database>, ofLanes: Migrations = {}): Promise<void> {
  const all = { ...MIGRATIONS, ...ofLanes };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(all) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error });
}
