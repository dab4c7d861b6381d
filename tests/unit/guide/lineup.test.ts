import { expect, test } from 'vitest';
import { channel, checked, faultsOf, guide, programme } from './guide-world.ts';

const CHANNELS = channel('a', 'Alpha', '1') + channel('b', 'Beta', '2.1');
const BOTH = guide(programme() + programme({ channel: 'b' }), CHANNELS);
interface Entry {
  GuideNumber?: unknown;
  GuideName?: unknown;
  EpgId?: unknown;
}
const A: Entry = { GuideNumber: '1', GuideName: 'Alpha', EpgId: 'a' };
const B: Entry = { GuideNumber: '2.1', GuideName: 'Beta', EpgId: 'b' };
const against = (entries: readonly Entry[], of = BOTH): Promise<string[]> =>
  faultsOf(of, { lineup: JSON.stringify(entries) });

test('GUIDE-21 a lineup that has what the guide has is well', async () => {
  expect(await against([A, B])).toEqual([]);
  // By number, and by name in whatever case.
  expect(
    await against([
      { GuideNumber: '1', GuideName: 'Other' },
      { GuideNumber: '9', GuideName: 'BETA' },
    ]),
  ).toEqual([]);
  expect(await against([{ GuideNumber: 1, GuideName: 'Alpha' }, B])).toEqual([]);
});

test.each<[Entry[], string[]]>([
  [[A], ['b channel has guide data, not in lineup']],
  [[A, B, { GuideNumber: '3', GuideName: 'Gamma', EpgId: 'c' }], ['c lineup channel without guide data']],
  [[A, B, { GuideNumber: '3', GuideName: 'Gamma' }], ['3 lineup channel without guide data']],
  [[A, { ...B, GuideNumber: '1' }], ['b duplicate GuideNumber']],
  [[A, B, { ...B, GuideNumber: '7' }], ['b duplicate EpgId']],
  [[A, { ...B, GuideNumber: '2-1' }], ['b bad GuideNumber']],
  [[A, { ...B, GuideNumber: '' }], ['b bad GuideNumber']],
  [[A, { ...B, GuideName: ' ' }], ['b empty GuideName']],
  [[A, { GuideNumber: '2.1', GuideName: '' }], ['b empty GuideName']],
  // An EpgId of no channel is a claim that fails, whatever its number is.
  [
    [A, { ...B, EpgId: 'x' }],
    ['b channel has guide data, not in lineup', 'x lineup channel without guide data'],
  ],
])('GUIDE-21 %j', async (entries, faults) => {
  expect(await against(entries)).toEqual(faults);
});

test('GUIDE-21 a channel without programmes need not be in the lineup, and one in it has its guide', async () => {
  const silent = guide(programme(), CHANNELS);
  expect(await against([A], silent)).toEqual(['b channelnoprogramme']);
  expect(await against([A, B], silent)).toEqual(['b channelnoprogramme']);
});

test.each(['', '{"a":1}', '[{"GuideNumber":"1"', '<html></html>', '[1,2]', '#EXTM3U\n'])(
  'GUIDE-21 "%s" is no lineup',
  async (lineup) => {
    expect(await faultsOf(BOTH, { lineup })).toEqual(['document unreadable lineup']);
    expect((await checked(BOTH, { lineup })).notes).toEqual([expect.stringMatching(/lineup|playlist/)]);
  },
);

test('GUIDE-22 a playlist, with and without quotes, commas in names, and a lineup without numbers', async () => {
  const of = (lines: string): Promise<string[]> => faultsOf(BOTH, { lineup: lines });
  expect(
    await of(
      '#EXTM3U\n#EXTINF:-1 tvg-id="a" tvg-chno="1",Alpha\nhttp://x/1\n#EXTINF:-1 tvg-id=b tvg-chno=2.1 group-title="x, y",Beta, two\nhttp://x/2',
    ),
  ).toEqual([]);
  expect(await of('#EXTM3U\r\n#EXTINF:-1,Alpha\r\nhttp://x/1\r\n#EXTINF:-1 tvg-chno=2.1,\r\nhttp://x/2')).toEqual([
    'b empty GuideName',
  ]);
  expect(
    await of('#EXTINF:0 tvg-id="" tvg-name="Alpha" tvg-chno="x",\nhttp://x/1\n#EXTINF:0,Beta\nhttp://x/2'),
  ).toEqual(['a bad GuideNumber']);
});
