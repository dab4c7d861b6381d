/**
 * The bearer token of each server, and the key of each model server, kept in IndexedDB so that workers can use
 * them: encrypted with a key that can be used but not read out. That keeps them out of exports, backups and a
 * look at the database; it is no defence against code that runs on this page.
 */
import type { AccessionDb } from './db.ts';

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

const KEY_ROW = 'token_key';

export interface TokenStore {
  /** null: not signed in to this server. */
  get(): Promise<string | null>;
  set(token: string): Promise<void>;
  clear(): Promise<void>;
}

/** `server` is the server's origin: a token is never sent to another server than the one it was given for. */
export function createTokenStore(db: AccessionDb, server: string): TokenStore {
  return sealedRow(db, `token:${server}`);
}

/** The key of a model server, kept like a token. `origin` is that server's: no other is ever sent it. */
export function createModelKeyStore(db: AccessionDb, origin: string): TokenStore {
  return sealedRow(db, `llm-key:${origin}`);
}

/** The query of the address of a model that the person added, kept like a token: it may be a key to the file. */
export function createModelQueryStore(db: AccessionDb, id: string): TokenStore {
  return sealedRow(db, `model-query:${id}`);
}

function sealedRow(db: AccessionDb, row: string): TokenStore {
  return {
    async get() {
      const stored: unknown = (await db.meta.get(row))?.value;
      const key = await storedKey(db);
      if (key === null || !isSealed(stored)) return null;
      try {
        return new TextDecoder().decode(
          await crypto.subtle.decrypt({ name: 'AES-GCM', iv: stored.iv }, key, stored.data),
        );
      } catch {
        // The key was lost (site data partly cleared): as good as no token.
        return null;
      }
    },
    async set(token) {
      const key = await keyOf(db);
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(token.trim()));
      const value: Sealed = { iv, data };
      await db.meta.put({ key: row, value });
    },
    async clear() {
      await db.meta.delete(row);
    },
  };
}

/**
 * The token in the link that the server printed (`#token=...`), taken out of the address bar and the history
 * at once. null where there is none.
 */
export function takeTokenFromAddress(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState' | 'state'>,
): string | null {
  const fields = new URLSearchParams(location.hash.replace(/^#/, ''));
  const token = fields.get('token');
  if (token === null) return null;
  fields.delete('token');
  const rest = fields.toString();
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest === '' ? '' : `#${rest}`}`);
  return token.trim() === '' ? null : token.trim();
}

async function storedKey(db: AccessionDb): Promise<CryptoKey | null> {
  const value: unknown = (await db.meta.get(KEY_ROW))?.value;
  return value instanceof CryptoKey ? value : null;
}

async function keyOf(db: AccessionDb): Promise<CryptoKey> {
  const fresh = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  // Two tabs may sign in at once; the first key stays.
  return db.transaction('rw', db.meta, async () => {
    const stored = await storedKey(db);
    if (stored !== null) return stored;
    await db.meta.put({ key: KEY_ROW, value: fresh });
    return fresh;
  });
}

function isSealed(value: unknown): value is Sealed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'iv' in value &&
    value.iv instanceof Uint8Array &&
    'data' in value &&
    value.data instanceof ArrayBuffer
  );
}
