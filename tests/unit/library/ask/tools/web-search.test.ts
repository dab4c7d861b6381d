import { describe, expect, it } from 'vitest';
import { hostMatches, isPattern, mayAsk } from '#core/domains.ts';
import { webSearch } from '#lanes/library/core/ask/tools/web/web-search.ts';
import { called, webOf } from './tool-world.ts';

const API = 'https://en.wikipedia.org/w/api.php';
const page = (id: number): string => `https://en.wikipedia.org/w/index.php?curid=${id}`;
const HITS = JSON.stringify({
  query: {
    search: [1, 2].map((id) => ({ title: `Tide ${id}`, pageid: id, snippet: '<span class="m">Spring</span> tides' })),
  },
});
const PAGES = {
  [API]: { type: 'application/json', text: HITS },
  [page(1)]: {
    text: '<title>Tide</title><h1>Tide</h1><p>Spring tides come after full moon.</p><p hidden>Neap tides come never.</p><script>steal()</script>',
  },
  [page(2)]: { text: '<h1>Boat</h1><p>The Tern carries four people.</p>' },
};

describe('web_search', () => {
  it('ASK-77 reads the pages that were found, and what of them answers is evidence with its address', async () => {
    const web = webOf(PAGES);
    const output = await called(webSearch, { query: 'spring tides' }, { web, domains: ['*.wikipedia.org'] });
    expect(output).toMatchObject({
      results: [
        {
          title: 'Tide 1',
          url: page(1),
          snippet: 'Spring tides',
          source_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
        { title: 'Tide 2', url: page(2) },
      ],
      docs: [
        {
          text: expect.stringContaining('Spring tides come after full moon.') as string,
          metadata: { path: '', url: page(1) },
        },
      ],
    });
    expect(JSON.stringify(output)).not.toMatch(/steal|come never/);
  });

  it('ASK-77 reads five pages at most, each once, and none of another domain', async () => {
    const results = [
      ...Array.from({ length: 9 }, (_, at) => ({ title: 't', url: `https://a.example.org/${at}`, content: 'tides' })),
      { title: 'other', url: 'https://a.example.org.evil.com/' },
      { title: 'port', url: 'https://a.example.org:8443/' },
      { title: 'user', url: 'https://a.example.org@evil.com/' },
      { title: 'plain', url: 'http://a.example.org/' },
      { title: 'file', url: 'file:///etc/passwd' },
    ];
    const web = {
      ...webOf({
        'https://search.example.net/search': { text: JSON.stringify({ results: [...results, ...results] }) },
      }),
      engine: { kind: 'searxng', url: 'https://search.example.net/search' } as const,
    };
    const output = await called(
      webSearch,
      { query: 'tides', top_k: 20 },
      { web, domains: ['*.example.org', 'search.example.net'] },
    );
    expect(web.asked).toHaveLength(6);
    expect(output).toMatchObject({ docs: [] });
    expect((output as { results: unknown[] }).results).toHaveLength(9);
  });

  it('ASK-77 what a model allows only narrows; it does not name the engine', async () => {
    const web = webOf(PAGES);
    const ask = (allow: string[]) =>
      called(webSearch, { query: 'tides', allow }, { web, domains: ['*.wikipedia.org'] });
    expect(await ask(['evil.example.com'])).toMatchObject({ results: [], docs: [] });
    expect(await ask(['*'])).toHaveProperty('refused');
    expect(await called(webSearch, { query: 'tides', url: 'https://evil.com' }, { web })).toHaveProperty('refused');
    expect(await called(webSearch, { query: 'tides' }, { web, domains: ['evil.example.com'] })).toHaveProperty(
      'failed',
    );
    expect(await called(webSearch, { query: 'tides' }, { domains: ['*.wikipedia.org'] })).toMatchObject({
      failed: expect.stringMatching(/no way to the network/) as string,
    });
    expect(new Set(web.asked.map((url) => new URL(url).host))).toEqual(new Set(['en.wikipedia.org']));
  });

  it('ASK-77 an engine that answers otherwise is a failure', async () => {
    for (const text of ['<html>', '{}', '{"query":{"search":[{"title":1}]}}'])
      expect(
        await called(webSearch, { query: 'tides' }, { web: webOf({ [API]: { text } }), domains: ['*.wikipedia.org'] }),
      ).toHaveProperty('failed');
  });
});

describe('domains', () => {
  it.each([
    ['pubmed.nih.gov', '*.nih.gov', true],
    ['a.b.nih.gov', '*.nih.gov', true],
    ['PubMed.NIH.gov.', '*.nih.gov', true],
    ['nih.gov', '*.nih.gov', false],
    ['nih.gov.evil.com', '*.nih.gov', false],
    ['xnih.gov', '*.nih.gov', false],
    ['nih.gov', 'nih.gov', true],
    ['www.nih.gov', 'nih.gov', false],
    ['127.0.0.1', '*.0.1', false],
    ['localhost', 'localhost', false],
    ['evil.com', '*', false],
    ['evil.com', '*.com.', false],
    ['evil.com', '', false],
  ])('ASK-76 %s under %s: %s', (host, pattern, is) => {
    expect(hostMatches(host, pattern)).toBe(is);
  });

  it('ASK-76 patterns are names of hosts and nothing else', () => {
    for (const text of ['example.org', '*.example.org', 'xn--mnchen-3ya.de', 'a-b.example.co.uk'])
      expect(isPattern(text)).toBe(true);
    for (const text of [
      '*',
      '*.',
      '.org',
      'org',
      '*.*.org',
      'a.*.org',
      '10.0.0.1',
      '[::1]',
      'a.org/x',
      'a.org:80',
      'u@a.org',
      'a..org',
      '-a.org',
      `${'a'.repeat(64)}.org`,
      'münchen.de',
    ])
      expect(isPattern(text), text).toBe(false);
    expect(mayAsk('https://a.org/x?y#z', [['a.org'], null])).toBe(true);
    for (const url of [
      'https://a.org\\@b.org/',
      'https://a.org:443/',
      'HTTP://a.org/',
      'https:a.org',
      '//a.org/',
      'https://a.org%2eevil.com/',
      ' https://a.org/',
    ])
      expect(mayAsk(url, [['a.org']]), url).toBe(false);
  });
});
