import { describe, expect, test } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { FileMatch, MatchContext } from '#lanes/music/core/match/match.types.ts';
import { predict, SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { COMPUTER, FIRST, ROAD, SECOND, catalogOf, file, fillers, filesOf, two } from './small-catalog.ts';

const DELUXE = {
  ...ROAD,
  title: 'Harbour Road (Deluxe Edition)',
  year: 2019,
  tracks: [...ROAD.tracks, ['Tide Table', 201], ['Low Water', 177]] as const,
};
const plans = [ROAD, COMPUTER, FIRST, SECOND, ...fillers(40)];
const index = buildCatalogIndex(catalogOf(plans));
const run = (files: FileEvidence[], context: Partial<MatchContext> = {}, against = index) =>
  matchBatch({ files, context: { type: 'spontaneous', ...context } }, against);
const logOdds = (share: number): number => Math.log(share / (1 - share));

/** Every kind of evidence: whole names, a length that is off, a name that says nothing. */
const mixed = (): FileEvidence[] =>
  filesOf(ROAD).map((entry, i) =>
    i === 4 ? { ...entry, duration_ms: (entry.duration_ms ?? 0) + 9000 } : i === 16 ? file('xq7.flac', 91.2) : entry,
  );

describe('MATCH-20 why', () => {
  test('MATCH-20 the terms are the largest first and add up to the log-odds of the raw confidence', () => {
    const { files } = run([...mixed(), ...filesOf(COMPUTER, { folder: 'x/', tagged: true })]);
    expect(files).toHaveLength(29);
    for (const match of files) {
      if (match.track_id === null) {
        expect(match.why).toBeNull();
        continue;
      }
      const { why } = match;
      if (!why) throw new Error(`${match.file_id} is not explained`);
      expect(why.profile).toBe(SHIPPED_PROFILE.version);
      const sum = why.terms.reduce((total, term) => total + term.log_odds, 0);
      expect(sum).toBeCloseTo(logOdds(why.raw), 3);
      const values = Object.fromEntries(why.terms.map(({ feature, value }) => [feature, value]));
      expect(predict(SHIPPED_PROFILE, values)).toBeCloseTo(why.raw, 3);
      for (const { value, weight, log_odds } of why.terms) expect(value * weight).toBeCloseTo(log_odds, 3);
      const sizes = why.terms.map(({ log_odds }) => Math.abs(log_odds));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(match.confidence).toBeLessThanOrEqual(why.raw);
    }
  });

  test('MATCH-20 the vetoes that struck are those of its chips; the pair says what was compared', () => {
    const match = run(mixed()).files[4];
    expect(match?.why?.vetoes).toEqual([{ kind: 'length', label: 'length off by 9 s' }]);
    expect(match?.reasons.filter(({ kind }) => kind === 'veto').map(({ label }) => label)).toEqual([
      'veto: length off by 9 s',
    ]);
    expect(match?.why?.pair).toMatchObject({
      title_similarity: 1,
      off: 9.3,
      position_agrees: true,
      artist_conflict: false,
      version_extra: [],
    });
    const { total, ...parts } = match?.why?.pair.weights ?? { total: 0 };
    expect(Object.values(parts).reduce((a, b) => a + b, 0)).toBeCloseTo(total, 2);
    expect(match?.options[0]?.pair).toEqual(match?.why?.pair);
    expect(JSON.parse(JSON.stringify(match?.why))).toEqual(match?.why);
  });

  test('MATCH-20, MATCH-56 what set the confidence where the evidence did not: an album in doubt, an album or a track chosen', () => {
    const piled = FIRST.tracks.map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds + 0.5));
    const limits = (files: readonly FileMatch[]) => [...new Set(files.map(({ why }) => why?.limit))];
    const asked = run(piled);
    expect(asked.groups[0]?.verdict).toBe('ask_album');
    for (const { why, confidence } of asked.files) {
      if (why && why.vetoes.length === 0 && why.raw > 0.85)
        expect([why.limit, confidence]).toEqual(['album_in_doubt', 0.85]);
      else expect(why?.limit).toBeNull();
    }
    expect(limits(asked.files)).toContain('album_in_doubt');
    const file_ids = piled.map(({ file_id }) => file_id);
    expect(limits(run(piled, { chosenAlbums: [{ file_ids, album_id: 'album-2' }] }).files)).toEqual(['album_chosen']);
    const own = run(piled, { chosenTracks: { [file_ids[0] ?? '']: asked.files[0]?.track_id ?? null } });
    expect(own.files[0]).toMatchObject({ confidence: 1, why: { limit: 'track_chosen', vetoes: [] } });
    expect(limits(run(filesOf(ROAD)).files)).toEqual([null]);
  });

  test('MATCH-20 one speed of the album is said', () => {
    const faster = filesOf(ROAD).map((entry) => ({ ...entry, duration_ms: (entry.duration_ms ?? 0) / 1.04 }));
    expect(run(faster).files[0]?.why?.speed).toBeCloseTo(1.04, 2);
  });

  test('MATCH-1, MATCH-57 what a person chose has no veto, and another track than the matcher’s no explanation', () => {
    const [, , , , odd, next] = mixed();
    const chosenTracks = { [odd?.file_id ?? '']: 'track-0-4', [next?.file_id ?? '']: 'track-1-1' };
    const { files } = run(mixed(), { chosenTracks });
    expect(files[4]?.why?.vetoes).toEqual([]);
    expect(files[4]?.why?.pair.off).toBe(9.3);
    expect(files[5]?.why).toBeNull();
  });

  test('MATCH-2 MATCH-20 inside a chosen album what contradicts it is a veto', () => {
    const files = mixed();
    const chosenAlbums = [{ file_ids: files.map(({ file_id }) => file_id), album_id: 'album-0' }];
    const result = run(files, { chosenAlbums });
    expect(result.files[4]?.why?.vetoes.map(({ kind }) => kind)).toEqual(['length']);
    expect(result.files[3]?.why?.vetoes).toEqual([]);
    expect(result.files[3]?.why?.terms.length).toBeGreaterThan(5);
  });
});

describe('MATCH-21 the runner-up', () => {
  const labels = (match: FileMatch | undefined): string[] =>
    (match?.why?.runner_up?.separates ?? []).map(({ label }) => label);

  test('MATCH-21 on the same album: what separates them, strongest first', () => {
    // Two tracks of 91 s are free, and the number speaks for the one.
    const named = filesOf(ROAD).filter((_, i) => i !== 13 && i !== 16);
    const match = run([...named, file('17 - Hr Xclcy.flac', 91.2)]).files.at(-1);
    expect(match).toMatchObject({ track_id: 'track-0-16', why: { runner_up: { track_id: 'track-0-13' } } });
    expect(match?.why?.vetoes.map(({ kind }) => kind)).toContain('rival');
    expect(labels(match)).toContain('track 17, there 14');
    const whole = run(filesOf(ROAD)).files[0];
    const weights = whole?.why?.runner_up?.separates.map(({ weight }) => Math.abs(weight ?? 99)) ?? [];
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(labels(whole).join('; ')).toMatch(/title 1\.00, there 0\.\d\d/);
    expect(labels(whole).join('; ')).toMatch(/duration \+0\.3 s, there [+-]\d+/);
    expect(whole?.why?.runner_up?.behind).toBeGreaterThan(5);
  });

  test('MATCH-21 on the next album: the album as a whole counts', () => {
    const two = buildCatalogIndex(catalogOf([ROAD, DELUXE, ...fillers(20)]));
    const match = run(filesOf(DELUXE), {}, two).files[0];
    expect(match?.why?.runner_up).toMatchObject({ album: 'Harbour Road', title: 'Come Sailing', behind: 0 });
    expect(labels(match).some((label) => label.startsWith('album as a whole: 19 of 19 files, there 17'))).toBe(true);
  });

  test('MATCH-21 nothing separates twins', () => {
    const twins = buildCatalogIndex(catalogOf([ROAD, ROAD, ...fillers(20)]));
    expect(labels(run(filesOf(ROAD), {}, twins).files[0])).toEqual(['nothing separates them']);
  });
});

describe('albums side by side', () => {
  const piled = FIRST.tracks.map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds + 0.5));

  test('MATCH-22 each option says which track each file would be, and how many tracks no file is', () => {
    const [group] = run(piled.slice(0, 8)).groups;
    const first = group?.options.find(({ title }) => title === 'Shiver');
    expect(first?.pairs?.map(({ file_id }) => file_id)).toEqual(group?.file_ids);
    expect(first?.pairs?.[0]).toMatchObject({ track_id: 'track-2-0', title_similarity: null, off: 0.5 });
    expect(first?.missing).toBe(2);
  });

  test('MATCH-22 UI-40, MATCH-58 the table of an album question is what the answer does, file by file', () => {
    // Lengths off by so many seconds, numbers that lie, titles of another album: what the two assignments disagree about.
    const off = (seed: number, at: number): number => ((seed * 31 + at * 17) % 11) - 5;
    const nameOf = (seed: number, at: number, title: string): string =>
      (seed + at) % 4 === 0
        ? `${two(((at + seed) % 9) + 1)} - ${title}`
        : (seed + at) % 3 === 0
          ? title
          : `track${two(at + 1)}`;
    let asked = 0;
    for (let seed = 0; seed < 60; seed++) {
      const plan = [FIRST, SECOND, ROAD, COMPUTER][seed % 4] ?? FIRST;
      const files = plan.tracks
        .slice(0, 6 + (seed % 5))
        .map(([title, seconds], at) => file(`d/${nameOf(seed, at, title)}.mp3`, seconds + off(seed, at)));
      for (const group of run(files).groups.filter(
        ({ verdict }) => verdict === 'ask_album' || verdict === 'no_match',
      )) {
        for (const option of group.options) {
          asked += 1;
          const chosenAlbums = [{ file_ids: group.file_ids, album_id: option.album_id }];
          const answer = run(files, { chosenAlbums });
          const got = new Map(answer.files.map(({ file_id, track_id }) => [file_id, track_id]));
          expect(option.pairs?.map(({ track_id }) => track_id)).toEqual(group.file_ids.map((id) => got.get(id)));
          const taken = group.file_ids.filter((id) => got.get(id) !== null).length;
          expect(option.tracks_fitting).toBe(taken);
          expect(option.missing).toBe(option.track_count - taken);
          const after = answer.groups.find(({ album_id }) => album_id === option.album_id)?.options[0];
          expect(after?.pairs).toEqual(option.pairs);
        }
      }
    }
    expect(asked).toBeGreaterThan(20);
  });

  test('MATCH-23 what tells the editions of one album apart', () => {
    const editions = buildCatalogIndex(catalogOf([ROAD, DELUXE, ...fillers(20)]));
    const [group] = run(filesOf(ROAD), {}, editions).groups;
    const telling = new Map(group?.options.map(({ title, distinguishing }) => [title, distinguishing]));
    expect(telling.get('Harbour Road')).toEqual(['no edition named', '17 tracks, the other 19', '1969']);
    expect(telling.get('Harbour Road (Deluxe Edition)')).toEqual([
      'Deluxe Edition',
      '19 tracks, the other 17',
      '"Tide Table" and 1 more only here',
    ]);
  });

  test('MATCH-23 lengths tell apart what nothing else does', () => {
    const slow = { ...FIRST, tracks: FIRST.tracks.map(([title, seconds]) => [title, seconds + 2] as const) };
    const both = buildCatalogIndex(catalogOf([FIRST, slow, ...fillers(20)]));
    const [group] = run(piled, {}, both).groups;
    expect(group?.options.map(({ distinguishing }) => distinguishing?.[0])).toEqual([
      'lengths nearest: 0.5 s off, then 1.5 s',
      'lengths 1.5 s off',
    ]);
  });

  test('MATCH-23 one option has nothing to be told from', () => {
    const [group] = run(filesOf(ROAD, { tagged: true })).groups;
    if (group?.options.length === 1) expect(group.options[0]?.distinguishing).toEqual([]);
    for (const option of group?.options ?? []) expect(option.distinguishing?.length).toBeLessThanOrEqual(3);
  });
});
