/** A thread of its own: moves what a long transaction left in the log of an SQLite database into the database. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const database = new DatabaseSync(String(workerData), { timeout: 1000 });
try {
  database.exec('pragma synchronous = full');
  database.exec('pragma wal_checkpoint(passive)');
} finally {
  database.close();
}
