import { expect, test } from 'vitest';
import { channel, faultsOf, guide, HEAD, hours, programme } from './guide-world.ts';

const AT = 'a@20240501100000 +0000';
const NUMBER = '<episode-num system="xmltv_ns">0.1.</episode-num>';
const of = (inside: string, attributes = ''): Promise<string[]> => faultsOf(guide(programme({ inside, attributes })));

test('GUIDE-9 a guide as XMLTV has it has no fault', async () => {
  const all = `<sub-title lang="en">One</sub-title><desc>Two</desc><credits><director>A<image type="person">x</image></director>
    <actor role="B" guest="yes">C</actor><guest>D</guest></credits><date>2020</date><category>Drama</category><keyword>k</keyword>
    <language>en</language><orig-language>de</orig-language><length units="minutes">30</length><icon src="i" width="1" height="1"/>
    <url system="s">u</url><country>DE</country>${NUMBER}<video><present>yes</present><colour>no</colour><aspect>4:3</aspect>
    <quality>HD</quality></video><audio><present>yes</present><stereo>mono</stereo></audio><previously-shown start="2019" channel="b"/>
    <premiere>p</premiere><last-chance/><new/><subtitles type="teletext"><language>de</language></subtitles>
    <rating system="FSK"><value>12</value><icon src="j"/></rating><star-rating><value>3/5</value></star-rating>
    <review type="url" source="s" reviewer="r" lang="en">v</review><image type="poster" size="2" orient="P" system="x">y</image>`;
  expect(await of(all, ' pdc-start="1" vps-start="2" showview="3" videoplus="4" clumpidx="0/1"')).toEqual([]);
});

test.each([
  ['order', `<desc>d</desc><sub-title>s</sub-title>${NUMBER}`],
  ['order', `<credits><actor>a</actor><director>b</director></credits>${NUMBER}`],
  ['order', `${NUMBER}<country>c</country>`],
  ['order', `${NUMBER}<video><aspect>4:3</aspect><colour>yes</colour></video>`],
  ['unknown', `<rerun/>${NUMBER}`],
  ['unknown', `<desc>plain <i>and not</i></desc>${NUMBER}`],
  ['attribute', `<sub-title language="en">s</sub-title>${NUMBER}`],
  ['attribute', `<length>30</length>${NUMBER}`],
  ['attribute', `<length units="days">30</length>${NUMBER}`],
  ['attribute', `<icon width="3"/>${NUMBER}`],
  ['attribute', `${NUMBER}<review>good</review>`],
  ['attribute', `<credits><actor guest="maybe">a</actor></credits>${NUMBER}`],
  ['missing', `${NUMBER}<rating system="x"/>`],
  ['missing', `${NUMBER}<star-rating><icon src="x"/></star-rating>`],
  ['repeated', `<language>a</language><language>b</language>${NUMBER}`],
  ['repeated', `${NUMBER}<video><aspect>a</aspect><aspect>b</aspect></video>`],
  ['nesting', `and text${NUMBER}`],
  ['nesting', `<director>who</director>${NUMBER}`],
  ['nesting', `<desc>with <title>a title</title></desc>${NUMBER}`],
  ['nesting', `<icon src="x"> </icon>${NUMBER}`],
  ['nesting', `<icon src="x"><!-- c --></icon>${NUMBER}`],
  ['nesting', `<![CDATA[ ]]>${NUMBER}`],
  ['nesting', `<credits>a writer</credits>${NUMBER}`],
])('GUIDE-10 notvalid:%s for %s', async (code, inside) => {
  expect(await of(inside)).toEqual([`${AT} notvalid:${code}`]);
});

test('GUIDE-10 what is wrong with a programme or a channel itself, with the place that it has', async () => {
  expect(await of(NUMBER, ' rating="3"')).toEqual([`${AT} notvalid:attribute`]);
  expect(await faultsOf(guide(`<programme start="20240501100000 Z" channel="a">${NUMBER}</programme>`))).toEqual([
    'a@20240501100000 Z notvalid:missing',
  ]);
  expect(
    await faultsOf(guide(`<programme start="20240501100000 Z"><title>T</title>${NUMBER}</programme>${programme()}`)),
  ).toEqual(['@20240501100000 Z notvalid:attribute', '@20240501100000 Z unknownid']);
  expect(await faultsOf(guide(`<programme channel="a"><title>T</title>${NUMBER}</programme>`))).toEqual([
    'a@ badstart',
    'a@ notvalid:attribute',
  ]);
  expect(await faultsOf(guide(programme(), '<channel id="a"><icon src="x"/></channel>'))).toEqual([
    'a notvalid:missing',
  ]);
  expect(
    await faultsOf(guide(programme(), '<channel id="a" name="x"><display-name>n</display-name></channel>')),
  ).toEqual(['a notvalid:attribute']);
  expect(
    await faultsOf(guide(programme(), `${channel('a', 'A')}<channel><display-name>n</display-name></channel>`)),
  ).toEqual(['tv notvalid:attribute']);
  expect(
    await faultsOf(
      guide(programme(), '<channel id="a"><url>u</url><display-name>n</display-name><lcn>1</lcn></channel>'),
    ),
  ).toEqual(['a notvalid:order', 'a notvalid:unknown']);
});

test('GUIDE-10 what lies between channels and programmes is said of tv', async () => {
  const one = programme();
  expect(
    await faultsOf(`${HEAD}<tv>${channel('a', 'A')}${one}${channel('b', 'B')}${programme({ channel: 'b' })}</tv>`),
  ).toEqual(['tv notvalid:order']);
  expect(await faultsOf(guide(`text${one}`))).toEqual(['tv notvalid:nesting']);
  expect(await faultsOf(guide(`<title>t</title>${one}`))).toEqual(['tv notvalid:nesting']);
  expect(await faultsOf(guide(`<provider/>${one}`))).toEqual(['tv notvalid:unknown']);
  expect(await faultsOf(guide(one).replace('<tv>', '<tv generator="x">'))).toEqual(['tv notvalid:attribute']);
});

test('GUIDE-9 once for each pair of place and code', async () => {
  expect(await of(`<rerun/>${NUMBER}<again/>`)).toEqual([`${AT} notvalid:unknown`]);
});

test('GUIDE-12 channels without programmes, programmes without channel, and channels twice', async () => {
  const two = channel('a', 'A') + channel('b', 'B') + channel('b', 'B again');
  const lost = programme({ channel: 'c' }) + programme({ channel: 'c', start: '20240501120000 +0000' });
  expect(await faultsOf(guide(programme() + lost, two))).toEqual([
    'b channelnoprogramme',
    'b duplicateid',
    'c@20240501100000 +0000 unknownid',
    'c@20240501120000 +0000 unknownid',
  ]);
  expect(await faultsOf(`${HEAD}<tv/>`)).toEqual(['tv noprogrammes']);
  // A channel that comes behind its programmes is declared all the same.
  expect(await faultsOf(`${HEAD}<tv>${programme()}${channel('a', 'A')}</tv>`)).toEqual(['tv notvalid:order']);
});

test.each([
  ['20240501100000 +0000', '2024-05-01T11:00', ['badstop']],
  ['20240501100000 +0000', '', ['badstop']],
  ['2024-05-01 10:00', '20240501110000 +0000', ['badstart']],
  ['20240501100000', '20240501110000', ['missingtimezone']],
  ['20240501100000 XX', '20240501110000', ['invalidtimezone', 'missingtimezone']],
  ['20240501100000 +0000', '20240501095959 +0000', ['stop-before-start']],
  ['20240501100000 +0000', '20240501100000 +0000', []],
  ['20240501100000 +0000', '20240501113000 +0200', ['stop-before-start']],
])('GUIDE-13 %s to %s', async (start, stop, codes) => {
  expect(await faultsOf(guide(programme({ start, stop })))).toEqual(codes.map((code) => `a@${start} ${code}`));
});

test('GUIDE-13 a zone that a person says holds for times without one', async () => {
  const pair = programme({ start: '20240501100000', stop: '20240501113000 +0200' });
  expect(await faultsOf(guide(pair))).toEqual([
    'a@20240501100000 missingtimezone',
    'a@20240501100000 stop-before-start',
  ]);
  expect(await faultsOf(guide(pair), { zone: 'Europe/Berlin' })).toEqual(['a@20240501100000 missingtimezone']);
});

test('GUIDE-14 overlaps and duplicates, in order of start, whatever the order in the file', async () => {
  const at = (start: string, stop: string, attributes = ''): string =>
    programme({ start: `2024050${start}0000 +0000`, stop: `2024050${stop}0000 +0000`, attributes });
  expect(await faultsOf(guide(at('112', '114') + at('110', '113')))).toEqual(['a@20240501100000 +0000 overlap']);
  expect(await faultsOf(guide(at('110', '112') + at('112', '113')))).toEqual([]);
  const later = programme({ start: '20240501120000 +0200', stop: '20240501123000 +0200' });
  expect(await faultsOf(guide(at('110', '111') + later))).toEqual(['a@20240501120000 +0200 duplicate']);
  expect(await faultsOf(guide(at('110', '112', ' clumpidx="0/2"') + at('110', '112', ' clumpidx="1/2"')))).toEqual([]);
  expect(await faultsOf(guide(at('110', '112', ' clumpidx="0/2"') + at('111', '112')))).toEqual([
    'a@20240501100000 +0000 overlap',
  ]);
  const other = programme({ channel: 'b', start: '20240501110000 +0000' });
  expect(await faultsOf(guide(at('110', '112') + other, channel('a', 'A') + channel('b', 'B')))).toEqual([]);
});

test.each([
  ['..', []],
  ['0.1.', []],
  [' 2/9 . 0/7 . 0/1 ', []],
  ['/3.4.', []],
  ['1.2', ['badepisode']],
  ['1.2.3.4', ['badepisode']],
  ['S02E03', ['badepisode']],
  ['1.-2.', ['badepisode']],
  ['1.2/.', ['badepisode']],
  ['1 2.3.', ['badepisode']],
  ['', ['badepisode']],
])('GUIDE-15 xmltv_ns "%s"', async (number, codes) => {
  const both = `<episode-num system="xmltv_ns">${number}</episode-num><episode-num system="onscreen">Ep 3</episode-num>`;
  expect(await of(both)).toEqual(codes.map((code) => `${AT} ${code}`));
});

test('GUIDE-15 blank titles and descriptions', async () => {
  expect(await faultsOf(guide(programme({ title: ' ' })))).toEqual([`${AT} emptytitle`]);
  expect(await faultsOf(guide(programme({ title: ' ', inside: `<title>Real</title>${NUMBER}` })))).toEqual([]);
  expect(await of(`<desc>good</desc><desc> </desc>${NUMBER}`)).toEqual([`${AT} emptydescription`]);
  expect(await faultsOf(guide(hours([{}, { title: '' }])))).toEqual(['a@20240501010000 +0000 emptytitle']);
});
