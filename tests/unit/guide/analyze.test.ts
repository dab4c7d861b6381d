import { expect, test } from 'vitest';
import { checkCommand } from '#lanes/guide/cli/check-command.ts';
import { analyzeMetadataIssues } from '#lanes/guide/core/faults/analyze.ts';
import { checked, fileOf, guide, hours } from './guide-world.ts';

test('GUIDE-23 one issue a type, with its base and 0.3 of its share', () => {
  const issues = analyzeMetadataIssues(
    {
      counts: {
        METADATA_LOOKUP_FAILURE: 3,
        EPISODE_NUM_MISSING: 5,
        MOVIE_YEAR_MISSING: 0,
        PLACEHOLDER_TITLE: 21,
        XMLTV_VALIDATION_ERROR: 400,
      },
      codes: {
        XMLTV_VALIDATION_ERROR: { overlap: 100, badstop: 300 },
        METADATA_LOOKUP_FAILURE: { timeout: 2, '404': 1 },
      },
      lastLookupFailure: '404',
    },
    'a',
    100,
  );
  const shared = { channel_id: 'a' };
  expect(issues).toEqual([
    {
      ...shared,
      issue_type: 'METADATA_LOOKUP_FAILURE',
      confidence: expect.closeTo(0.609),
      affected_items_count: 3,
      last_error_type: '404',
      metadata_failure_ratio: 0.03,
    },
    {
      ...shared,
      issue_type: 'EPISODE_NUM_MISSING',
      confidence: expect.closeTo(0.715),
      affected_items_count: 5,
      last_error_type: null,
      metadata_failure_ratio: 0.05,
    },
    {
      ...shared,
      issue_type: 'PLACEHOLDER_TITLE_EXCESS',
      confidence: expect.closeTo(0.813),
      affected_items_count: 21,
      last_error_type: null,
      metadata_failure_ratio: 0.21,
    },
    {
      ...shared,
      issue_type: 'XMLTV_VALIDATION_ERROR',
      confidence: 0.99,
      affected_items_count: 400,
      last_error_type: 'badstop',
      metadata_failure_ratio: 1,
    },
  ]);
});

test.each([
  [10, 1000, false],
  [11, 1000, true],
  [2, 10, false],
  [3, 10, true],
])('GUIDE-23 %i placeholders of %i', (count, programmes, isIssue) => {
  const metrics = { counts: { PLACEHOLDER_TITLE: count }, codes: {}, lastLookupFailure: null };
  expect(analyzeMetadataIssues(metrics, null, programmes)).toHaveLength(isIssue ? 1 : 0);
});

test('GUIDE-24 shares of all programmes, where one with several faults counts once', async () => {
  const film = '<category>Film</category>';
  const { envelope } = await checked(
    guide(hours([{ title: 'TBA', inside: '' }, { inside: film }, { title: 'TBA' }, {}, {}])),
  );
  expect(envelope).toEqual({
    metadata_failure_ratio: 0.6,
    placeholder_ratio: 0.4,
    xmltv_validation_errors: 0,
    lineup_mismatch_count: 0,
  });
  expect((await checked('<tv/>', { lineup: '[{"GuideNumber":"1","GuideName":"A"}]' })).envelope).toEqual({
    metadata_failure_ratio: 0,
    placeholder_ratio: 0,
    xmltv_validation_errors: 1,
    lineup_mismatch_count: 1,
  });
});

test('GUIDE-25 the command says each fault in plain words, and where', async () => {
  const said: string[] = [];
  const code = await checkCommand(fileOf(guide(hours([{ inside: '' }, {}]))), {}, (line) => said.push(line));
  expect({ code, said }).toEqual({
    code: 1,
    said: [
      'a@20240501000000 +0000: it has no number of season and episode (EPISODE_NUM_MISSING)',
      '1 channels, 2 programmes, 1 faults; 50.0 % of the programmes lack something',
    ],
  });
  expect(await checkCommand(fileOf(guide(hours([{}]))), {}, () => undefined)).toBe(0);
});

test.each([
  ['/nowhere/guide.xml', {}, 'not_found'],
  ['', { zone: 'Europe/Nowhere' }, 'invalid'],
  ['', { lineup: '/nowhere/lineup.json' }, 'not_found'],
])('GUIDE-25 %s %j fails with a sentence (%s)', async (file, flags, code) => {
  await expect(checkCommand(file === '' ? fileOf(guide('')) : file, flags, () => undefined)).rejects.toMatchObject({
    failure: { code },
  });
});
