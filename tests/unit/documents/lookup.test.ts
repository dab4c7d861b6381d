import { describe, expect, test } from 'vitest';
import { failed } from '#core/errors.ts';
import { memoryCache } from '#lanes/documents/core/lookup/cache.ts';
import { LOOKUP_HOSTS } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup } from '#lanes/documents/core/lookup/lookup.ts';
import { datedText, plainText, titleOf } from '#lanes/documents/core/lookup/plain.ts';
import type { RawAnswer } from '#lanes/documents/core/lookup/source.ts';
import { arxivFeed } from '#lanes/documents/core/lookup/sources/arxiv-feed.ts';
import { crossref } from '#lanes/documents/core/lookup/sources/crossref.ts';
import { crossrefWork } from '../../fixtures/metadata-server.ts';

/** A look-up on a clock that only waiting and `taking` move. */
function machine(reply: (url: string, call: number) => Partial<RawAnswer>, taking = 0) {
  const asked: { host: string; at: number }[] = [];
  let now = 0;
  const cancel = { aborted: false };
  const lookup = createLookup({
    clock: { now: () => now },
    wait: (ms) => Promise.resolve(void (now += ms)),
    random: () => 0.5,
    cancel,
    cache: memoryCache(),
    wire: {
      get(url) {
        asked.push({ host: new URL(url).host, at: now });
        const answer = { status: 200, headers: {}, body: '', ...reply(url, asked.length) };
        now += taking;
        return Promise.resolve(answer);
      },
    },
  });
  const doi = (value: string) => lookup.find({ kind: 'doi', value });
  return {
    lookup,
    rest: (ms: number) => void (now += ms),
    doi,
    asked,
    cancel,
    gaps: () => asked.slice(1).map(({ at }, i) => at - (asked[i]?.at ?? 0)),
  };
}

const workOf = (url: string): string => crossrefWork(decodeURIComponent(url.split('/works/')[1] ?? ''));

describe('DOCUMENT-26 the manners of a look-up', () => {
  test('one request at a time and host, however many ask at once', async () => {
    const { doi, asked, gaps } = machine((url) => ({ body: workOf(url) }));
    await Promise.all([doi('10.5555/a'), doi('10.5555/b'), doi('10.5555/c'), doi('10.5555/A')]);
    expect(asked).toHaveLength(3);
    expect(gaps()).toEqual([200, 200]);
  });

  test.each([
    ['50, 50', '1s, 1s', 20],
    ['1', '1s', 1_000],
    ['3', '1m', 20_000],
    ['0', 'soon', 200],
    ['1', '9000h', 60_000],
  ])('the host says how often: %s in %s', async (limit, interval, gap) => {
    const headers = { 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval };
    const { doi, gaps } = machine((url) => ({ body: workOf(url), headers }));
    for (const id of ['a', 'b', 'c']) await doi(`10.5555/${id}`);
    expect(gaps().at(-1)).toBe(gap);
  });

  test.each([
    ['12', 12_000],
    [new Date(40_000).toUTCString(), 40_000],
    ['-5', 750],
  ])('Retry-After %s holds everybody who asks this host', async (said, least) => {
    const { doi, asked } = machine((url, call) =>
      call === 1 ? { status: 429, headers: { 'retry-after': said } } : { body: workOf(url) },
    );
    await Promise.all([doi('10.5555/a'), doi('10.5555/b')]);
    expect(asked[1]?.at).toBeGreaterThanOrEqual(said === '-5' ? 0 : least);
  });

  test('a host that wants an hour is asked another time, and a refusal is not asked again', async () => {
    const hour = machine(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    expect(await hour.doi('10.5555/a')).toMatchObject({
      outcome: 'later',
      why: 'api.crossref.org wants to be asked later.',
    });
    expect(hour.asked).toHaveLength(1);
    const refused = machine(() => ({ status: 403 }));
    expect(await refused.doi('10.5555/a')).toMatchObject({ outcome: 'later' });
    expect(refused.asked).toHaveLength(1);
  });

  test('it can be cancelled between two requests', async () => {
    const { doi, cancel, asked } = machine(() => {
      cancel.aborted = true;
      return { status: 500 };
    });
    await expect(doi('10.5555/a')).rejects.toThrow(/cancelled/);
    expect(asked).toHaveLength(1);
  });
});

test('DOCUMENT-28 "none" is kept for seven days with whichever status it was said, a record for ninety', async () => {
  const { lookup, asked, rest } = machine((url) => {
    if (url.includes('openlibrary')) return { body: '{}' };
    if (url.includes('googleapis')) return { body: '{"kind":"books#volumes","totalItems":0}' };
    return { body: workOf(url) };
  });
  const after = async (days: number, kind: 'isbn' | 'doi', value: string): Promise<number> => {
    const before = asked.length;
    rest(days * 86_400_000);
    await lookup.find({ kind, value });
    return asked.length - before;
  };
  const isbn = ['isbn', '9780306406157'] as const;
  expect([await after(0, ...isbn), await after(6, ...isbn), await after(2, ...isbn)]).toEqual([2, 0, 2]);
  const doi = ['doi', '10.5555/a'] as const;
  expect([await after(0, ...doi), await after(89, ...doi), await after(2, ...doi)]).toEqual([1, 0, 1]);
});

test('DOCUMENT-25 asks no other hosts, and nothing for what is no identifier', async () => {
  const { lookup, asked } = machine(() => {
    throw failed('offline', 'gone');
  });
  for (const asking of [
    { kind: 'doi', value: '10.5555/a' },
    { kind: 'isbn', value: '9780306406157' },
    { kind: 'arxiv', value: 'hep-th/9901001v2' },
  ] as const)
    await lookup.find(asking);
  expect(asked.every(({ host }) => (LOOKUP_HOSTS as readonly string[]).includes(host))).toBe(true);
  const before = asked.length;
  for (const [kind, value] of [
    ['doi', '11.5/x'],
    ['doi', ''],
    ['isbn', '9780306406158'],
    ['arxiv', '../etc'],
  ] as const)
    await expect(lookup.find({ kind, value })).rejects.toThrow(/is no/);
  expect(asked).toHaveLength(before);
});

describe('DOCUMENT-29 a record is plain text', () => {
  test.each([
    ['Effects of <i>E. coli</i> &amp; H<sub>2</sub>O\n  on  beetles', 'Effects of E. coli & H2O on beetles'],
    ['&lt;scp&gt;DC&lt;/scp&gt; converters', 'DC converters'],
    ['AT&amp;amp;T, p &lt; 0.05 and a<b', 'AT&T, p < 0.05 and a<b'],
    ['on<mml:math xmlns:mml="x"><mml:mi>d</mml:mi></mml:math>-spaces', 'ond-spaces'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (markup, plain) => expect(plainText(markup)).toBe(plain));

  test.each([
    ['Rivers', 'a trial', 'Rivers: a trial'],
    ['Rivers: a trial', 'A trial', 'Rivers: a trial'],
    ['', 'a trial', 'a trial'],
    ['Rivers:', 'a trial', 'Rivers: a trial'],
  ])('title "%s" and subtitle "%s"', (title, subtitle, whole) => expect(titleOf(title, subtitle)).toBe(whole));

  test.each([
    ['July 28, 2008', '2008-07-28'],
    ['28 July 2008', '2008-07-28'],
    ['March 2004', '2004-03'],
    ['c1994', '1994'],
    ['2012-05', '2012-05'],
    ['2012-02-31', '2012-02'],
    ['1999-05-14T20:24:07Z', '1999-05-14'],
    ['2019/2020', '2019'],
    ['[19--?]', ''],
    ['', ''],
  ])('the day "%s" is %s, and no day or month is made up', (text, date) => expect(datedText(text).date).toBe(date));

  const read = (more: object) => {
    const reading = crossref.read(
      { status: 200, headers: {}, body: crossrefWork('10.5555/a', more) },
      { kind: 'doi', value: '10.5555/a' },
    );
    return reading.is === 'record' ? reading : null;
  };

  test('groups and suffixes stay, what is missing is empty, a chapter has no ISBN of its own', () => {
    const author = [
      { name: 'The Consortium' },
      { given: 'C.', family: 'Rahman', suffix: 'Jr' },
      { family: 'Solo' },
      {},
    ];
    expect(
      read({ author, title: [], issued: { 'date-parts': [[null]] }, 'container-title': [] })?.record,
    ).toMatchObject({
      authors: ['The Consortium', 'C. Rahman Jr', 'Solo'],
      title: '',
      date: '',
      year: null,
      publication: '',
    });
    const ISBN = ['0306406152'];
    expect(read({ type: 'book', ISBN, publisher: 'Made Press', 'container-title': [] })?.record).toMatchObject({
      isbn: '9780306406157',
      publication: 'Made Press',
    });
    expect(read({ type: 'book-chapter', ISBN })?.record.isbn).toBe('');
    expect(read({ author: 'nobody', issued: 3, title: 'One text' })?.record).toMatchObject({
      title: 'One text',
      authors: [],
    });
  });

  test('a retraction is told', () => {
    expect(read({ 'updated-by': [{ type: 'retraction', DOI: '10.5555/R' }] })?.notices).toEqual([
      'retraction: 10.5555/r',
    ]);
  });

  test("arXiv's feed: the preprint stays itself, its published version is told", () => {
    const feed = (entry: string) =>
      `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>query</title><entry>${entry}</entry></feed>`;
    const asked = { kind: 'arxiv', value: 'math/0309997' } as const;
    const body = feed(
      '<id>http://arxiv.org/abs/math/0309997v3</id><published>1999-05-14T20:24:07Z</published><title>Counting\n  rivers</title><author><name>Ana Garcia</name></author><arxiv:doi>10.5555/Pub</arxiv:doi>',
    );
    expect(arxivFeed.read({ status: 200, headers: {}, body }, asked)).toMatchObject({
      record: {
        title: 'Counting rivers',
        authors: ['Ana Garcia'],
        doi: '10.48550/arxiv.math/0309997',
        date: '1999-05-14',
      },
      notices: ['published: 10.5555/pub'],
    });
    const of = (text: string) => arxivFeed.read({ status: 200, headers: {}, body: text }, asked).is;
    expect([of(feed('<id>http://arxiv.org/api/errors#x</id>')), of(body.slice(0, -8)), of('<html></html>')]).toEqual([
      'missing',
      'garbled',
      'garbled',
    ]);
  });
});
