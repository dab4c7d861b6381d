import { describe, expect, test } from 'vitest';
import { prefixNearness, typoNearness, words, wordScore } from '#core/text/word-score.ts';
import { clientAddress } from '#server/auth/require-permission.ts';
import { UrlSigner } from '#server/auth/signed-url.ts';
import { checkVersion } from '#server/http/editing.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { readRange } from '#server/http/stream.ts';
import { keyedLock } from '#server/keyed-lock.ts';
import { grams } from '#core/text/question.ts';
import { orderKey, terms } from '#server/search/terms.ts';

describe('readConfig', () => {
  test('SERVE-3: what is not said has a default', () => {
    expect(readConfig({})).toEqual({
      port: 8787,
      data: './data',
      databaseUrl: null,
      token: null,
      demo: true,
      origins: [],
      hosts: [],
      trustedProxies: [],
      maxUploadBytes: 500 * 1024 * 1024,
      insideWorkers: 1,
    });
  });

  test('SERVE-3: what is said is taken', () => {
    const env = {
      PORT: '0',
      ACCESSION_DATA: '/x',
      ACCESSION_TOKEN: 'a-token-of-one-s-own',
      ACCESSION_DEMO: '0',
      ACCESSION_ORIGINS: 'https://a.example/, http://b:1',
      ACCESSION_HOSTS: 'Music.example, nas',
      ACCESSION_TRUSTED_PROXIES: '127.0.0.1, ::1',
      ACCESSION_MAX_UPLOAD_MB: '1',
      ACCESSION_INSIDE_WORKERS: '2',
    };
    const config = {
      port: 0,
      data: '/x',
      databaseUrl: null,
      token: 'a-token-of-one-s-own',
      demo: false,
      trustedProxies: ['127.0.0.1', '::1'],
      origins: ['https://a.example', 'http://b:1'],
      hosts: ['music.example', 'nas'],
      maxUploadBytes: 1_048_576,
      insideWorkers: 2,
    };
    expect(readConfig(env)).toEqual(config);
  });

  test.each([
    { PORT: '70000' },
    { PORT: '1.5' },
    { ACCESSION_TOKEN: 'x'.repeat(513) },
    { ACCESSION_TOKEN: 'x'.repeat(15) },
    { ACCESSION_HOSTS: 'https://music.example' },
    { ACCESSION_TOKEN: 'with a blank in it' },
    { ACCESSION_ORIGINS: '*' },
    { ACCESSION_MAX_UPLOAD_MB: '0' },
    { ACCESSION_INSIDE_WORKERS: '17' },
  ])('SERVE-3: %o is refused', (env) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
  });
});

describe('readRange', () => {
  test.each([
    [undefined, 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=9-3', 'whole'],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=99-', { start: 99, end: 100 }],
    ['bytes=-200', { start: 0, end: 100 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('AUDIO-2: %s of 100 bytes', (header, range) => {
    expect(readRange(header, 100)).toEqual(range);
  });
});

describe('KeyedLock', () => {
  test('COMMIT-2: runs one at a time for a key, in order, and goes on after a failure', async () => {
    const lock = keyedLock();
    const seen: string[] = [];
    const work =
      (name: string, fails = false) =>
      async (): Promise<string> => {
        seen.push(`${name} begins`);
        await Promise.resolve();
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const results = await Promise.allSettled([
      lock.run('k', work('a')),
      lock.run('k', work('b', true)),
      lock.run('k', work('c')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});

test.each([
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '10.9.9.9, 203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7, not an address', '127.0.0.1'],
  ['198.51.100.1', '203.0.113.7', '198.51.100.1'],
  [undefined, '203.0.113.7', 'unknown'],
])('AUTH-9: from %s with %s it is %s', (connection, forwarded, client) => {
  expect(clientAddress(connection, forwarded, ['127.0.0.1'])).toBe(client);
});

describe('UrlSigner', () => {
  test('API-5: a path for audio lives longer than others, and nothing can be changed', () => {
    const signer = new UrlSigner('secret');
    const who = { user_id: 'u', scopes: ['Work', 'ReadCatalog'] };
    const audio = signer.sign('/v1/catalog/tracks/x/audio', who, 0);
    const other = signer.sign('/v1/ws', who, 0);
    expect(audio.expires_at).toBeGreaterThan(other.expires_at);
    const query = new URLSearchParams(other.url.split('?')[1]);
    expect(signer.verify('/v1/ws', query, other.expires_at - 1)).toEqual(who);
    const more = new URLSearchParams({ ...Object.fromEntries(query), scopes: 'EditCatalog' });
    expect(signer.verify('/v1/ws', more, 1)).toBeNull();
    expect(signer.verify('/v1/ws', query, other.expires_at)).toBeNull();
    expect(new UrlSigner('other').verify('/v1/ws', query, 1)).toBeNull();
    expect(signer.verify('/v1/ws', new URLSearchParams(), 1)).toBeNull();
  });
});

test('API-4: If-Match takes the forms that clients send', () => {
  const row = { id: 'x', version: 3 };
  for (const good of [undefined, '*', '"3"', '3', 'W/"3"', '"1", "3"'])
    expect(() => checkVersion(good, row)).not.toThrow();
  for (const bad of ['"2"', '', '"33"']) expect(() => checkVersion(bad, row)).toThrow('changed by someone else');
});

describe('search terms', () => {
  test('FIND-1: text of any script becomes plain words', () => {
    expect(words('R.E.M. — Björk & Sigur Rós')).toEqual(['rem', 'bjork', 'and', 'sigur', 'ros']);
    expect(words("Don't Stop")).toEqual(['dont', 'stop']);
    expect(words('???')).toEqual([]);
    expect(terms('Love Love', 'love me')).toEqual(['love', 'me']);
    expect(words('x'.repeat(10_000))[0]).toHaveLength(40);
    expect(orderKey('!!!')).toBe('!!!');
  });

  test('FIND-1: a typo is near, another word is not', () => {
    expect(grams('abc')).toEqual(['^ab', 'abc', 'bc$']);
    expect(typoNearness('radiohead', 'radiohead')).toBe(1);
    expect(typoNearness('raidohead', 'radiohead')).toBeGreaterThan(0.6);
    expect(typoNearness('cat', 'car')).toBe(0);
    expect(prefixNearness('rad', 'radiohead')).toBeGreaterThan(0.7);
    expect(prefixNearness('rad', 'brad')).toBe(0);
  });

  test('FIND-1: a name that is asked for as a whole comes before one that only contains it', () => {
    const whole = wordScore(['love'], [1], [{ text: 'Love', weight: 1 }]);
    const part = wordScore(['love'], [1], [{ text: 'Love Me Do', weight: 1 }]);
    expect(whole).toBeGreaterThan(part);
    expect(wordScore(['love'], [1], [{ text: 'Hate', weight: 1 }])).toBe(0);
  });
});
