import { describe, expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { questionForFile, questionForGroup } from '#lanes/music/core/questions/phrase.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import {
  COMPUTER,
  FIRST,
  ROAD,
  SECOND,
  THIRD,
  catalogOf,
  file,
  fillers,
  filesOf,
  lengths,
  two,
  word,
} from './small-catalog.ts';

const SURE = 0.9;
const plans = [ROAD, COMPUTER, FIRST, SECOND, THIRD, ...fillers(40)];
const index = buildCatalogIndex(catalogOf(plans));
const spontaneous = { type: 'spontaneous' } as const;
const road = plans.indexOf(ROAD);
const computer = plans.indexOf(COMPUTER);

describe('the four use cases', () => {
  it('1: a ZIP for a pending request is matched and committed without a question', () => {
    const files = filesOf(COMPUTER, { folder: 'fine_machine.zip/', extension: 'mp3' });
    const result = matchBatch(
      { files, context: { type: 'download_request', request: { album_id: `album-${computer}`, track_id: null } } },
      index,
    );
    expect(result.groups.map((group) => [group.verdict, group.album_id])).toEqual([['matched', `album-${computer}`]]);
    expect(result.files.map((match) => match.track_id)).toEqual(
      COMPUTER.tracks.map((_, i) => `track-${computer}-${i}`),
    );
    for (const match of result.files) expect(match.confidence).toBeGreaterThan(SURE);
  });

  it.each([true, false])(
    '2: sixteen of seventeen loose files commit (tags: %s), the mangled one is a question (MATCH-7, MATCH-52, MATCH-15)',
    (tagged) => {
      for (const name of ['xq7.flac', '17 - Hr Xclcy.flac']) {
        // Two tracks of 91 s are unfilled, and the name speaks for neither.
        const files = filesOf(ROAD, { tagged }).filter((_, i) => i !== 13 && i !== 16);
        const mangled = file(name, 91.2);
        const result = matchBatch({ files: [...files, mangled], context: spontaneous }, index);
        const sure = result.files.filter((match) => match.confidence > SURE);
        expect(sure.map((match) => match.file_id)).toEqual(files.map((entry) => entry.file_id));
        expect(sure.every((match) => match.track_id?.startsWith(`track-${road}-`))).toBe(true);
        const doubt = result.files.find((match) => match.file_id === mangled.file_id);
        expect(doubt?.confidence).toBeLessThanOrEqual(SURE);
        expect(
          doubt?.options
            .slice(0, 2)
            .map((option) => option.title)
            .sort(),
        ).toEqual(['Golden Lullabies', 'Her Excellency']);
        expect(result.groups.find((group) => group.file_ids.includes(mangled.file_id))?.verdict).toBe('matched');
        if (!doubt) continue;
        const { reasoning } = questionForFile(doubt, mangled);
        expect(reasoning).toContain(`File '${name}' (91s) could match '`);
        expect(reasoning).toContain("'Golden Lullabies' (91s)");
      }
    },
  );

  const piled = FIRST.tracks.map(([, seconds], i) =>
    file(`track${two(i + 1)}.mp3`, seconds + (i % 2 === 0 ? 0.5 : -0.5)),
  );

  it('3: nameless files whose lengths fit several albums ask for the album once, with the share of lengths that fit (MATCH-52, MATCH-15)', () => {
    const result = matchBatch({ files: piled, context: spontaneous }, index);
    expect(result.groups).toHaveLength(1);
    const [group] = result.groups;
    expect(group?.verdict).toBe('ask_album');
    expect(
      group?.options
        .slice(0, 2)
        .map((option) => option.title)
        .sort(),
    ).toEqual(['Shiver', 'Wicked']);
    expect(group?.options.find((option) => option.title === 'Perilous')?.duration_share).toBeCloseTo(0.7);
    expect(result.files.every((match) => match.confidence <= SURE)).toBe(true);
    if (!group) return;
    const phrase = questionForGroup(group, piled);
    expect(phrase.question).toBe('Which album are these 10 files?');
    expect(phrase.reasoning).toContain('These 10 files with durations [3:46, 4:12, 3:59');
    expect(phrase.reasoning).toContain("'Perilous' by Max Jaxon (70% duration match)");
  });

  it('3, MATCH-2: after the album is chosen every file is committed by position and length', () => {
    const id = `album-${plans.indexOf(SECOND)}`;
    const context = { ...spontaneous, chosenAlbums: [{ file_ids: piled.map((entry) => entry.file_id), album_id: id }] };
    const result = matchBatch({ files: piled, context }, index);
    expect(result.groups.map((group) => [group.verdict, group.album_id])).toEqual([['matched', id]]);
    expect(result.files.map((match) => match.track_id)).toEqual(
      SECOND.tracks.map((_, i) => `track-${plans.indexOf(SECOND)}-${i}`),
    );
    for (const match of result.files) expect(match.confidence).toBeGreaterThan(SURE);
  });

  it('3, MATCH-2: files that contradict the chosen album stay questions', () => {
    const context = {
      ...spontaneous,
      chosenAlbums: [{ file_ids: piled.map((entry) => entry.file_id), album_id: `album-${plans.indexOf(THIRD)}` }],
    };
    const result = matchBatch({ files: piled, context }, index);
    expect(result.files.map((match) => match.confidence > SURE)).toEqual(piled.map((_, i) => i < 7));
  });

  it('4: an album that is not in the catalog is said so, with what was detected (MATCH-15)', () => {
    const files = lengths(5, 8).map((seconds, i) =>
      file(
        `obscure_album.zip/Unheard Band - Obscure Album/${two(i + 1)} - ${word(i * 5 + 3333)} ${word(i + 2777)}.mp3`,
        seconds,
      ),
    );
    const result = matchBatch({ files, context: spontaneous }, index);
    expect(result.groups.map((group) => group.verdict)).toEqual(['no_match']);
    expect(result.files.every((match) => match.confidence <= SURE)).toBe(true);
    const [group] = result.groups;
    if (!group) return;
    expect(questionForGroup(group, files).question).toBe(
      "Could not find matching album in catalog. Detected: 'Obscure Album' by 'Unheard Band' (8 tracks). Would you like to create a new catalog entry?",
    );
  });
});
