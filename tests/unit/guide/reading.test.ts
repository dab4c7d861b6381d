import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { childrenOf, type GuideElement } from '#lanes/guide/core/read/element.ts';
import { READ_LIMITS, type ReadLimits } from '#lanes/guide/core/read/guide-reader.ts';
import { channel, checked, faultsOf, guide, HEAD, hours, programme } from './guide-world.ts';

const AT = 'a@20240501100000 +0000';
const utf16 = (text: string, isBig = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** What programmes say, and what is wrong with their writing, of bytes that come in these pieces. */
async function readPieces(pieces: readonly Uint8Array[], limits?: ReadLimits) {
  const said: string[] = [];
  const text = ({ text: own, attributes, children }: GuideElement): string =>
    `${JSON.stringify(attributes)}${own}(${children.map(text).join()})`;
  const handler = {
    channel: (element: GuideElement, codes: readonly string[]) => void said.push(text(element) + codes.join()),
    programme: (element: GuideElement, codes: readonly string[]) => void said.push(text(element) + codes.join()),
  };
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }
  const read = await readGuide(source(), handler, limits === undefined ? {} : { limits });
  return { said, ...read };
}
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['UTF-8 with a mark', bytesOf(`\ufeff${guide(programme({ title: 'Müñ' }))}`)],
  ['UTF-16, little', utf16(`\ufeff${guide(programme({ title: 'Müñ' })).replace('UTF-8', 'UTF-16')}`)],
  ['UTF-16, big', utf16(`\ufeff${guide(programme({ title: 'Müñ' })).replace('UTF-8', 'UTF-16')}`, true)],
  ['UTF-16 without a mark', utf16(guide(programme({ title: 'Müñ' })))],
  ['UTF-8 that says UTF-16', bytesOf(guide(programme({ title: 'Müñ' })).replace('UTF-8', 'utf-16'))],
  ['no declaration', bytesOf(guide(programme({ title: 'Müñ' })).replace(HEAD, ''))],
  ['ISO-8859-1', latin(guide(programme({ title: 'Müñ' })).replace('UTF-8', 'ISO-8859-1'))],
  ['gzip', gzipSync(guide(programme({ title: 'Müñ' })))],
])('GUIDE-4 %s', async (_, bytes) => {
  expect(await faultsOf(bytes)).toEqual([]);
});

test('GUIDE-4 windows-1251 is read as what it says', async () => {
  const { said } = await readPieces([
    latin(guide(programme({ title: '\xcf\xf0\xe8\xe2\xe5\xf2' })).replace('UTF-8', 'windows-1251')),
  ]);
  expect(said[1]).toContain('Привет');
});

test('GUIDE-4 however it is cut into pieces', async () => {
  const document = `${HEAD}<!DOCTYPE tv [<!ENTITY x "y"><!-- it's --> ]><?pi a & b?><tv><!-- & -->${channel('a', 'A & B', '☃ 𝄞')}${programme(
    {
      title: 'Q&A &eacute;&nbsp;&nope; R&amp;B &#x263A;&#7;&#1F; 😀\u0001',
      inside: '<desc><![CDATA[a & b <i> ]] > &eacute; 😀]]> & more</desc>',
    },
  )}</tv>`;
  const bytes = bytesOf(document);
  const whole = await readPieces([bytes]);
  expect(whole.stopped).toBeNull();
  expect(whole.said[1]).toContain('Q&A é\u00a0&nope; R&B ☺&#1F; 😀');
  expect(whole.said[1]).toContain('a & b <i> ]] > &eacute; 😀 & more');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      expect(await readPieces(pieces)).toEqual(whole);
    }),
    { seed: 23, numRuns: 200 },
  );
});

test.each([
  ['Tom & Jenny', 'Tom & Jenny', 'badentity'],
  ['Tom &amp; Jenny', 'Tom & Jenny', null],
  ['AT&T', 'AT&T', 'badentity'],
  ['caf&eacute;', 'café', 'badentity'],
  ['&nbsp text; R & D;', '&nbsp text; R & D;', 'badentity'],
  ['&lt;&gt;&quot;&apos;&#38;&#x26;', '<>"\'&&', null],
  ['&undefined;', '&undefined;', 'badentity'],
  ['&LT;b', '<b', 'badentity'],
  ['&hearts;&NotEqualTilde;', '♥≂̸', 'badentity'],
  ['bell\u0007', 'bell', 'badcharacter'],
  ['&#0;zero&#xFFFF;', 'zero', 'badcharacter'],
  ['&#X41; &#; &;', '&#X41; &#; &;', 'badentity'],
])('GUIDE-5 "%s" is "%s" (%s)', async (written, text, code) => {
  const document = guide(
    programme({ title: 'T', inside: `<sub-title>${written}</sub-title><episode-num>1</episode-num>` }),
  );
  const { said } = await readPieces([bytesOf(document)]);
  expect(said[1]).toContain(`{}${text}()`);
  expect(await faultsOf(document)).toEqual(code === null ? [] : [`${AT} ${code}`]);
});

test('GUIDE-5 each is said of its place', async () => {
  const icon = '<icon src="http://x/?a=1&b=2"/><episode-num>1</episode-num>';
  const both = hours([{ inside: icon }, { title: 'A&B' }, {}]);
  expect(await faultsOf(guide(both, channel('a', 'A & B')))).toEqual([
    'a badentity',
    'a@20240501000000 +0000 badentity',
    'a@20240501010000 +0000 badentity',
  ]);
  expect(await faultsOf(guide(programme()).replace('<tv>', '<tv source-info-name="a&b">'))).toEqual(['tv badentity']);
  expect(await faultsOf(guide(`${programme()}\u0002<!-- & &nope; -->`))).toEqual(['tv badcharacter']);
});

test('GUIDE-5 a bomb of entities is text', async () => {
  const names = 'abcdefghij'.split('');
  const declared = names
    .map((name, at) => `<!ENTITY ${name} "${at === 0 ? 'ha' : `&${names[at - 1]};`.repeat(10)}">`)
    .join('');
  const bomb = guide(programme({ title: '&j;' })).replace('<tv>', `<!DOCTYPE tv [${declared}]><tv>`);
  expect(await faultsOf(bomb)).toEqual([`${AT} badentity`]);
  const { said } = await readPieces([bytesOf(bomb)]);
  expect(said[1]).toContain('&j;');
});

test.each([
  [
    'cut',
    guide(programme() + programme({ start: '20240501110000 +0000' })).slice(0, -25),
    'The document breaks off before its end.',
    1,
  ],
  [
    'a stray <',
    guide(programme() + programme({ title: 'a < b' })),
    /^The document is not well-formed \(in <title>\)/,
    1,
  ],
  ['tags that cross', guide(`${programme()}<programme></title>`), /^The document is not well-formed/, 1],
  ['text behind', `${guide(programme())}!`, /^The document is not well-formed/, 1],
  [
    'a twice-named attribute',
    guide(programme() + programme({ attributes: ' stop="1" stop="2"' })),
    /^The document is not well-formed/,
    1,
  ],
])('GUIDE-6 %s', async (_, document, sentence, programmes) => {
  const check = await checked(document.replace('</channel>', `</channel>${channel('b', 'B')}`));
  expect(check).toMatchObject({ programmes, channels: 2, code: 1 });
  expect(check.faults).toEqual([{ type: 'XMLTV_VALIDATION_ERROR', where: 'document', code: 'notwell' }]);
  expect(check.notes).toEqual([expect.stringMatching(sentence)]);
});

test('GUIDE-7 what is too much is cut or ends the reading, and is said', async () => {
  const limits = { ...READ_LIMITS, programmes: 2, text: 10, depth: 5 };
  const many = await readPieces([bytesOf(guide(hours([{}, {}, {}])))], limits);
  expect(many).toMatchObject({ stopped: 'It has more than 2 programmes; those before were read.' });
  expect(many.said).toHaveLength(3);
  const deep = await readPieces([bytesOf(guide(programme({ inside: '<a><b><c><d/></c></b></a>' })))], limits);
  expect(deep.stopped).toBe('Its elements lie within each other more than 5 deep; reading stopped there.');
  const long = await readPieces(
    [...(`${guide(programme({ title: 'x'.repeat(40) }))}`.match(/.{1,7}/gs) ?? [])].map(bytesOf),
    limits,
  );
  expect(long).toMatchObject({ stopped: null, cutTexts: 1 });
  expect(long.said[1]).toContain(`{}${'x'.repeat(10)}()`);
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield bytesOf(guide(programme()).replace('</tv>', ''));
    for (;;) yield await Promise.resolve(bytesOf('<!-- more of it -->'));
  }
  const checker = new GuideChecker();
  const read = await readGuide(endless(), checker, { mostBytes: 1024 * 1024 });
  expect(read.stopped).toBe('It is larger than 1 MB; what came before was read.');
  expect(checker.end(read).programmes).toBe(1);
});

test('GUIDE-7 32 elements within each other and 65,536 characters of a text are read, one more of either is said', async () => {
  const within = (depth: number): string => programme({ inside: '<x>'.repeat(depth - 2) + '</x>'.repeat(depth - 2) });
  expect((await readPieces([bytesOf(guide(within(32)))])).stopped).toBeNull();
  expect((await readPieces([bytesOf(guide(within(33)))])).stopped).toMatch(/more than 32 deep/);
  const titled = (length: number) => readPieces([bytesOf(guide(programme({ title: 'x'.repeat(length) })))]);
  expect((await titled(65_536)).cutTexts).toBe(0);
  expect((await titled(65_537)).cutTexts).toBe(1);
});

test.each([
  ['an empty file', '', 'The file is empty.'],
  ['blanks', ' \n', 'The document is empty: there is no <tv> in it.'],
  ['a web page', '<!doctype html><html><head><title>Sign in</title></head></html>', /^This is a web page/],
  [
    'another document',
    '<rss version="2.0"></rss>',
    'This is no XMLTV guide: its outermost element is <rss>, not <tv>.',
  ],
  ['text', 'channel,start,title\na,1,b\n', /^The document is not well-formed/],
  ['xz', Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0), /xz/],
  ['ZIP', Buffer.from('PK\u0003\u0004'), /ZIP/],
  ['bzip2', Buffer.from('BZh91AY'), /bzip2/],
  ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0), /UTF-32/],
  ['an unknown encoding', guide(programme()).replace('UTF-8', 'klingon'), /"klingon", an encoding that is not known/],
])('GUIDE-8 %s', async (_, content, sentence) => {
  const check = await checked(content);
  expect(check.faults).toEqual([{ type: 'XMLTV_VALIDATION_ERROR', where: 'document', code: 'notwell' }]);
  expect(check.notes).toEqual([expect.stringMatching(sentence)]);
});

test('GUIDE-8 bytes that are not the UTF-8 they say, and gzip that is damaged or breaks off', async () => {
  const wrong = latin(guide(programme() + programme({ start: '20240501110000 +0000', title: 'Caf\xe9' })));
  expect(await checked(wrong)).toMatchObject({ programmes: 1, notes: [expect.stringContaining('UTF-8')] });
  let state = 7;
  const noise = (): string => String((state = (state * 48_271) % 2_147_483_647));
  const many = hours(
    Array.from({ length: 600 }, () => ({ inside: `<desc>${noise()}${noise()}</desc><episode-num>1</episode-num>` })),
  );
  const packed = gzipSync(guide(many));
  const cut = await checked(packed.subarray(0, packed.length >> 1));
  expect(cut.notes).toEqual([expect.stringContaining('gzip')]);
  expect(cut.programmes).toBeGreaterThan(50);
  const damaged = Uint8Array.from(packed);
  damaged.fill(0xff, packed.length >> 1, (packed.length >> 1) + 40);
  expect((await checked(damaged)).notes).toEqual([expect.stringContaining('gzip')]);
});

test('GUIDE-4 text of an element is whole, whatever lies in it', async () => {
  const element: GuideElement[] = [];
  const document = guide(programme({ inside: '<desc>a<!-- b -->c<![CDATA[d]]>&amp;<?e f?>g</desc>' }));
  async function* source(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytesOf(document));
  }
  await readGuide(source(), { channel: () => undefined, programme: (one) => void element.push(one) });
  expect(childrenOf(element[0] ?? expect.fail(), 'desc')[0]?.text).toBe('acd&g');
});
