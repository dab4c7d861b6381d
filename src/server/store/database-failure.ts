/** What a failure of the database means, whichever it is: node:sqlite and pg say it in their own codes. */

export interface DatabaseFailure {
  kind: 'busy' | 'full' | 'gone' | 'value' | 'damaged';
  /** A sentence for a person; never a secret, a statement or a value. */
  message: string;
  /** True where the address, its user or its rights are wrong, which waiting does not mend. */
  setup: boolean;
}

const BUSY_SQLITE = 5;
const CORRUPT_SQLITE = 11;
const NO_DATABASE_SQLITE = 26;
const FULL_SQLITE = 13;
const READ_ONLY_SQLITE = 8;
const IO_SQLITE = 10;

const GONE = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', '57P01', '57P02']);
const LOST = /Connection terminated|connection has been discarded|not queryable/;
/** Every connection of this process was in use: the database is there. */
const QUEUED = /timeout exceeded when trying to connect/;

/** Null for what is no failure of the database. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null;
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;
  if (errcode !== null) return sqliteFailure(errcode);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return postgresFailure(code, error.message);
}

function sqliteFailure(errcode: number): DatabaseFailure | null {
  if (errcode === FULL_SQLITE) return full();
  if (errcode === BUSY_SQLITE) return busy();
  if (errcode === CORRUPT_SQLITE || errcode === NO_DATABASE_SQLITE) return damaged();
  if (errcode === READ_ONLY_SQLITE || errcode === IO_SQLITE)
    return gone("The database's disk cannot be written or read.");
  return null;
}

function postgresFailure(code: string, message: string): DatabaseFailure | null {
  if (code === '53100') return full();
  if (code === 'XX001' || code === 'XX002') return damaged();
  if (code === '40001' || code === '40P01' || code === '55P03' || QUEUED.test(message)) return busy();
  if (code === '53300') return gone('The database takes no more connections.');
  if (code === '57P03') return gone('The database is starting up or stopping.');
  if (code === '25006') return setup('The database takes no writes: it is a standby, or set to be read only.');
  if (code === '28P01' || code === '28000') return setup('The database refuses this user or password.');
  if (code === '3D000') return setup('There is no database of this name.');
  if (code === '42501') return setup('The database does not let this user do this.');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return setup("The database's host is not known.");
  // Class 22: a number or text that does not fit its column. 54000: a text that is too long for an index.
  if (/^22[0-9A-Z]{3}$|^54000$/.test(code))
    return { kind: 'value', message: 'A number or text in the request is none that can be stored.', setup: false };
  if (code === 'ECONNREFUSED') return setup('The database cannot be reached.');
  if (GONE.has(code) || code.startsWith('08') || LOST.test(message)) return gone('The database cannot be reached.');
  return null;
}

const busy = (): DatabaseFailure => ({
  kind: 'busy',
  message: 'The catalog is busy with another change.',
  setup: false,
});
const damaged = (): DatabaseFailure => ({
  kind: 'damaged',
  message: "The server's database is damaged.",
  setup: false,
});
const full = (): DatabaseFailure => ({ kind: 'full', message: 'The server has no space left.', setup: false });
const gone = (message: string): DatabaseFailure => ({ kind: 'gone', message, setup: false });
const setup = (message: string): DatabaseFailure => ({ kind: 'gone', message, setup: true });
