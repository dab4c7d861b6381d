import { describe, expect, it } from 'vitest';
import { createTokenStore, takeTokenFromAddress } from '#adapters/browser/token.ts';
import { openDb } from './world.ts';

describe('SYNC-26 the token', () => {
  it('SYNC-39, UI-1 is kept encrypted, for one server alone', async () => {
    const db = openDb();
    const here = createTokenStore(db, 'http://127.0.0.1:8787');
    expect(await here.get()).toBeNull();
    await here.set(' very-secret ');
    expect(await here.get()).toBe('very-secret');
    expect(await createTokenStore(db, 'https://elsewhere.example').get()).toBeNull();
    const rows = await db.meta.toArray();
    expect(JSON.stringify(rows)).not.toContain('very-secret');
    const key = rows.find((row) => row.key === 'token_key')?.value;
    expect(key instanceof CryptoKey && key.extractable).toBe(false);
    await here.clear();
    expect(await here.get()).toBeNull();
  });

  it('two tabs that sign in at once share one key', async () => {
    const db = openDb();
    const stores = ['a', 'b', 'c'].map((server) => createTokenStore(db, server));
    await Promise.all(stores.map((store, n) => store.set(`token-${n}`)));
    expect(await Promise.all(stores.map((store) => store.get()))).toEqual(['token-0', 'token-1', 'token-2']);
  });

  it('a lost key or a damaged row is as good as no token', async () => {
    const db = openDb();
    const store = createTokenStore(db, 's');
    await store.set('x');
    await db.meta.put({ key: 'token:s', value: 'nonsense' });
    expect(await store.get()).toBeNull();
    await store.set('x');
    await db.meta.delete('token_key');
    expect(await store.get()).toBeNull();
    await createTokenStore(db, 'other').set('y');
    expect(await store.get()).toBeNull();
  });

  it('UI-1 leaves the address bar at once', () => {
    const shown: string[] = [];
    const history = {
      state: { a: 1 },
      replaceState: (_state: unknown, _title: string, url?: string | URL | null) => void shown.push(String(url)),
    };
    const take = (hash: string) => takeTokenFromAddress({ pathname: '/review', search: '?x=1', hash }, history);
    expect(take('#token=abc%2Bd')).toBe('abc+d');
    expect(take('#other=1&token=abc')).toBe('abc');
    expect(take('#token=')).toBeNull();
    expect(take('#top')).toBeNull();
    expect(take('')).toBeNull();
    expect(shown).toEqual(['/review?x=1', '/review?x=1#other=1', '/review?x=1']);
  });
});
