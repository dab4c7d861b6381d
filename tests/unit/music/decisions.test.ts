import { describe, expect, it } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import type { MatchContext } from '#lanes/music/core/match/match.types.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { fitAlbum, type AlbumFit } from '#lanes/music/core/match/album-fit.ts';
import { parseName } from '#lanes/music/core/names/names.ts';
import { optionsFor, rankTracks } from '#lanes/music/core/match/options.ts';
import { readUnit } from '#lanes/music/core/names/reading.ts';
import { questionForFile } from '#lanes/music/core/questions/phrase.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { COMPUTER, FIRST, ROAD, SECOND, catalogOf, file, fillers, filesOf, two } from './small-catalog.ts';

const REMASTER = { ...ROAD, title: 'Harbour Road (Remastered)' };
const plans = [ROAD, COMPUTER, FIRST, SECOND, ...fillers(40)];
const index = buildCatalogIndex(catalogOf(plans));

const run = (files: FileEvidence[], context: Partial<MatchContext> = {}, against = index) =>
  matchBatch({ files, context: { type: 'spontaneous', ...context } }, against);
const vetoes = (match: { reasons: { kind: string; label: string }[] } | undefined): string[] =>
  (match?.reasons ?? []).filter((reason) => reason.kind === 'veto').map((reason) => reason.label);

describe('what a person said', () => {
  it('MATCH-1: a chosen track and a chosen none stand against all evidence', () => {
    const files = filesOf(ROAD);
    const [first, second] = files;
    const chosenTracks = { [first?.file_id ?? '']: 'track-1-4', [second?.file_id ?? '']: null };
    const result = run(files, { chosenTracks });
    expect(result.files[0]).toMatchObject({ track_id: 'track-1-4', confidence: 1 });
    expect(result.files[1]).toMatchObject({ track_id: null, confidence: 1 });
    expect(result.files[2]?.track_id).toBe('track-0-2');
  });

  it('MATCH-1: a rejected album is not offered again', () => {
    const files = filesOf(ROAD);
    const result = run(files, {
      rejectedAlbums: [{ file_ids: files.map((entry) => entry.file_id), album_ids: ['album-0'] }],
    });
    expect(result.groups.flatMap((group) => group.options.map((option) => option.album_id))).not.toContain('album-0');
    expect(result.files.every((match) => match.confidence <= 0.9)).toBe(true);
  });

  it('MATCH-11: a request that the files contradict is not believed', () => {
    const result = run(filesOf(ROAD), { type: 'download_request', request: { album_id: 'album-1', track_id: null } });
    expect(result.groups[0]?.album_id).toBe('album-0');
  });

  it('MATCH-11: a request tells twins by length apart', () => {
    const files = FIRST.tracks.map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds));
    const result = run(files, { type: 'download_request', request: { album_id: 'album-2', track_id: null } });
    expect(result.groups[0]).toMatchObject({ verdict: 'matched', album_id: 'album-2' });
  });
});

describe('MATCH-9: vetoes', () => {
  it('a length off by more than three seconds is asked about, with the lengths side by side', () => {
    const files = filesOf(ROAD).map((entry, i) =>
      i === 4 ? { ...entry, duration_ms: (entry.duration_ms ?? 0) + 9000 } : entry,
    );
    const match = run(files).files[4];
    expect(match?.confidence).toBeLessThanOrEqual(0.9);
    expect(match?.track_id).toBe('track-0-4');
    expect(vetoes(match)).toEqual(['veto: length off by 9 s']);
    const asked = files[4];
    if (match && asked)
      expect(questionForFile(match, asked).reasoning).toContain("(179s) could match 'Garden of Squid' (170s)");
  });

  it('MATCH-8: one speed explains all lengths', () => {
    const files = filesOf(ROAD).map((entry) => ({
      ...entry,
      duration_ms: Math.round((entry.duration_ms ?? 0) * 0.975),
    }));
    const result = run(files);
    expect(result.files.every((match) => match.confidence > 0.9)).toBe(true);
  });

  it('a live recording of the same songs is not the album', () => {
    const files = filesOf(ROAD).map((entry, i) =>
      file(`Tidewalkers - Live 1974/${entry.path.replace('.flac', ' (Live).flac')}`, ROAD.tracks[i]?.[1] ?? 0),
    );
    const result = run(
      files.map((entry, i) => ({ ...entry, duration_ms: (entry.duration_ms ?? 0) + 7000 + 3100 * (i % 5) })),
    );
    expect(result.files.every((match) => match.confidence <= 0.9)).toBe(true);
  });

  it('another artist with the same title and length is not the track', () => {
    const result = run([
      file('Karaoke Heroes - Nervous Android.mp3', 384, { title: 'Nervous Android', artist: 'Karaoke Heroes' }),
    ]);
    expect(result.files[0]?.confidence).toBeLessThanOrEqual(0.9);
    expect(vetoes(result.files[0])).toContain('veto: another artist');
  });

  it('a single file with artist, title and length commits; with its title alone it asks', () => {
    expect(run([file('Valvehead - Nervous Android.mp3', 383)]).files[0]?.confidence).toBeGreaterThan(0.9);
    expect(vetoes(run([file('Nervous Android.mp3', 383)]).files[0])).toContain('veto: title alone');
  });

  it('of two editions in the catalog each is found by its name', () => {
    const folder = 'The Tidewalkers - Harbour Road (Remastered)/';
    const files = filesOf(ROAD, { folder });
    const both = buildCatalogIndex(catalogOf([REMASTER, ...plans]));
    expect(run(files, {}, both).groups[0]).toMatchObject({ verdict: 'matched', album_id: 'album-0' });
    expect(run(filesOf(ROAD, { folder: 'The Tidewalkers - Harbour Road/' }), {}, both).groups[0]).toMatchObject({
      verdict: 'matched',
      album_id: 'album-1',
    });
  });

  it('twins that nothing tells apart are one album question', () => {
    const twins = buildCatalogIndex(catalogOf([ROAD, { ...ROAD, title: 'Harbour Road, Again' }, ...fillers(20)]));
    const result = run(filesOf(ROAD), {}, twins);
    expect(result.groups).toHaveLength(1);
    expect(result.groups[0]?.verdict).toBe('ask_album');
    expect(result.files.every((match) => match.confidence <= 0.9)).toBe(true);
  });
});

describe('groups', () => {
  it('MATCH-5, MATCH-17: a flat pile holds several albums', () => {
    const files = [...filesOf(ROAD).slice(0, 9), ...filesOf(COMPUTER).slice(2, 9)];
    const result = run(files);
    expect(result.groups.map((group) => [group.album_id, group.file_ids.length]).sort()).toEqual([
      ['album-0', 9],
      ['album-1', 7],
    ]);
    expect(result.files.every((match) => match.confidence > 0.9)).toBe(true);
  });

  it('MATCH-18: of nameless files a number that agrees by chance does not outweigh lengths that fit better', () => {
    // Track 2 of the wrong album has the number of its file; the right album has both lengths, under other numbers.
    const wrong = {
      title: 'Chance',
      artist: 'Nobody',
      tracks: [
        ['One', 301],
        ['Two', 251],
        ['Three', 199],
      ] as const,
    };
    const right = {
      title: 'Truth',
      artist: 'Somebody',
      tracks: [
        ['Four', 250],
        ['Five', 123],
        ['Six', 200],
      ] as const,
    };
    const small = buildCatalogIndex(catalogOf([wrong, right, ...fillers(40)]));
    const result = run([file('track02.mp3', 250), file('track01.mp3', 200)], {}, small);
    expect(result.groups[0]?.options[0]?.title).toBe('Truth');
  });

  it('MATCH-19: what a title and a length name elsewhere is an option beside the tracks of the album in doubt', () => {
    const own = { title: 'Selftitled', artist: 'Somebody Else', tracks: [['Zebra Crossing', 165]] as const };
    const both = buildCatalogIndex(catalogOf([ROAD, own, ...fillers(20)]));
    const files = [...filesOf(ROAD), file('Harbour Road/Zebra Crossing.mp3', 165)];
    const stray = readUnit(files.map((evidence) => ({ evidence, name: parseName(evidence.path) }))).at(-1);
    const [road, alone] = ['album-0', 'album-1'].map((id) => both.indexedAlbum(id));
    if (!stray || !road || !alone) throw new Error('the catalog lacks an album');
    const fits = [fitAlbum([stray], road, both, false)];
    const offered = (elsewhere: AlbumFit[]) =>
      optionsFor(stray, rankTracks(0, fits, fits[0]?.given[0] ?? -1, elsewhere), 0.1).map((option) => option.album);
    expect(offered([])).not.toContain('Selftitled');
    expect(offered([fitAlbum([stray], alone, both, false)]).slice(0, 2)).toContain('Selftitled');
  });

  it('MATCH-6: two formats of one recording share a track', () => {
    const files = [
      ...filesOf(COMPUTER, { folder: 'Fine Machine/FLAC/' }),
      ...filesOf(COMPUTER, { folder: 'Fine Machine/MP3/', extension: 'mp3' }),
    ];
    const result = run(files);
    expect(result.groups).toHaveLength(1);
    for (let i = 0; i < 12; i++) expect(result.files[i]?.track_id).toBe(result.files[i + 12]?.track_id);
    expect(result.files.every((match) => match.confidence > 0.9)).toBe(true);
  });

  it('reasons are chips: similarity, length, position, tracks', () => {
    const result = run(filesOf(COMPUTER, { folder: 'Fine Machine/' }));
    const labels = result.files[2]?.reasons.map((reason) => reason.label);
    expect(labels).toEqual(expect.arrayContaining(['title 1.00', 'duration +0.3 s', 'track 3 = 3']));
    expect(result.groups[0]?.reasons.map((reason) => reason.label)).toContain('tracks 12/12');
  });

  it('an empty batch and an empty catalog are no errors', () => {
    expect(run([])).toEqual({ groups: [], files: [] });
    const nothing = buildCatalogIndex({ artists: [], albums: [], tracks: [] });
    expect(run(filesOf(ROAD), {}, nothing).groups.map((group) => group.verdict)).toEqual(['no_match']);
  });
});

describe('MATCH-47: albums that the catalog does not have', () => {
  const unheard = (album: string, count: number, folder = '', artist = `${album} Band`): FileEvidence[] =>
    Array.from({ length: count }, (_, i) =>
      file(`${folder}${album} ${two(i + 1)}.mp3`, 61 + i * 13, {
        album,
        artist,
        title: `Opus ${album} ${i}`,
        track: i + 1,
      }),
    );
  const detected = (files: FileEvidence[]) =>
    run(files).groups.map((group) => [
      group.verdict,
      group.detected.album,
      group.detected.artist,
      group.detected.tracks,
    ]);

  it('are as many as their tags name, in one pile as in one folder', () => {
    for (const folder of ['', 'incoming/'])
      expect(detected([...unheard('Quorn', 3, folder), ...unheard('Vexil', 2, folder)])).toEqual([
        ['no_match', 'Quorn', 'Quorn Band', 3],
        ['no_match', 'Vexil', 'Vexil Band', 2],
      ]);
  });

  it('MATCH-50 keep every file in one group, under one id', () => {
    const files = [...unheard('Quorn', 3), ...unheard('Vexil', 2), ...unheard('Single', 1), file('noise.mp3', 77)];
    const { groups, files: matches } = run(files);
    expect(groups.flatMap((group) => group.file_ids).sort()).toEqual(files.map((entry) => entry.file_id).sort());
    for (const match of matches)
      expect(groups.find((group) => group.group_id === match.group_id)?.file_ids).toContain(match.file_id);
    expect(groups.map((group) => group.file_ids.length)).toEqual([3, 2, 2]);
  });

  it('MATCH-51 are one where the tags differ by the disc or the edition, or where only some name it', () => {
    const discs = [...unheard('Quorn (Disc 1)', 3, '', 'QB'), ...unheard('Quorn (Disc 2)', 3, '', 'QB feat. Anna')];
    expect(detected(discs)).toEqual([['no_match', 'Quorn (Disc 1)', 'QB', 6]]);
    expect(detected([...unheard('Quorn', 3), ...unheard('Quorn (Deluxe Edition)', 2)])).toHaveLength(1);
    expect(detected([...unheard('Quorn', 3), file('bonus.mp3', 77)])).toEqual([['no_match', 'Quorn', 'Quorn Band', 4]]);
  });

  it('MATCH-50 stay apart when one of them is answered', () => {
    const quorn = unheard('Quorn', 3);
    const singles = ['Alpha', 'Bravo', 'Carol', 'Delta'].flatMap((album) => unheard(album, 1));
    const files = [...quorn, ...unheard('Vexil', 2), ...singles];
    const before = run(files).groups.map(({ group_id, file_ids }) => [group_id, file_ids]);
    expect(before.map(([, ids]) => ids?.length)).toEqual([3, 2, 4]);
    const chosenAlbums = [{ file_ids: quorn.map((entry) => entry.file_id), album_id: 'album-1' }];
    const after = run(files, { chosenAlbums }).groups.map(({ group_id, file_ids }) => [group_id, file_ids]);
    expect(after).toEqual(expect.arrayContaining(before.slice(1)));
  });

  it('MATCH-51 a mix of single files stays one, and nothing is detected that most do not say', () => {
    const mix = ['Quorn', 'Vexil', 'Drumlin', 'Ostrak'].flatMap((album) => unheard(album, 1, 'Evening Mix/'));
    expect(detected(mix)).toEqual([['no_match', 'Evening Mix', null, 4]]);
    expect(detected(mix.map((entry) => ({ ...entry, path: entry.path.replace('Evening Mix/', '') })))).toEqual([
      ['no_match', null, null, 4],
    ]);
  });

  it('beside one that it has', () => {
    const { groups } = run([...filesOf(ROAD, { tagged: true }), ...unheard('Quorn', 3), ...unheard('Vexil', 2)]);
    expect(groups.map(({ verdict, album_id, detected: { album } }) => [verdict, album_id ?? album])).toEqual([
      ['matched', 'album-0'],
      ['no_match', 'Quorn'],
      ['no_match', 'Vexil'],
    ]);
  });
});
