import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import type { BatchMatch, MatchContext } from '#lanes/music/core/match/match.types.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { agentCatalog } from '../../../fixtures/agent-catalog.ts';
import { COMPUTER, FIRST, ROAD, SECOND, THIRD, catalogOf, file, fillers, filesOf, two } from '../small-catalog.ts';

const plans = [ROAD, COMPUTER, FIRST, SECOND, THIRD, ...fillers(40)];
const index = buildCatalogIndex(catalogOf(plans));
const albums = plans.map((_, at) => `album-${at}`);

const batches: FileEvidence[][] = [
  filesOf(COMPUTER, { folder: 'Fine Machine/' }),
  [...filesOf(ROAD).slice(0, 9), ...filesOf(COMPUTER).slice(3, 8), file('zz.mp3', 91)],
  FIRST.tracks.map(([, seconds], at) => file(`track${two(at + 1)}.mp3`, seconds)),
  [file('17 - Hr Xclcy.flac', 91.2), ...filesOf(ROAD, { tagged: true }).slice(0, 5)],
  [file(`${COMPUTER.tracks[2]?.[0] ?? ''}.mp3`, COMPUTER.tracks[2]?.[1] ?? 0)],
];

function match(files: FileEvidence[], lookAt: MatchContext['lookAt']): BatchMatch {
  return matchBatch({ files, context: { type: 'spontaneous', ...(lookAt ? { lookAt } : {}) } }, index);
}

const plain = batches.map((files) => match(files, undefined));
const at = fc.nat({ max: batches.length - 1 });

describe('AGENT-5 what the agent would look at is no evidence', () => {
  test('AGENT-5, AGENT-61 albums that were compared anyway change nothing at all', () => {
    fc.assert(
      fc.property(at, fc.infiniteStream(fc.boolean()), (which, keep) => {
        const before = plain[which];
        const files = batches[which];
        if (!before || !files) return;
        const shown = before.groups.flatMap((group) =>
          group.options.filter(() => keep.next().value === true).map(({ album_id }) => album_id),
        );
        expect(match(files, [{ file_ids: files.map(({ file_id }) => file_id), album_ids: shown }])).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });

  test('AGENT-5, AGENT-61 whatever is looked at, a file that keeps its track and its group is never surer for it', () => {
    fc.assert(
      fc.property(at, fc.shuffledSubarray([...albums, 'album-nowhere', '']), (which, hints) => {
        const before = plain[which];
        const files = batches[which];
        if (!before || !files) return;
        const after = match(files, [{ file_ids: files.map(({ file_id }) => file_id), album_ids: hints }]);
        for (const now of after.files) {
          const then = before.files.find(({ file_id }) => file_id === now.file_id);
          const together = (from: BatchMatch): string =>
            from.groups.find(({ file_ids }) => file_ids.includes(now.file_id))?.file_ids.join() ?? '';
          if (then?.track_id !== now.track_id || together(before) !== together(after)) continue;
          expect(now.confidence).toBeLessThanOrEqual(then.confidence + 1e-9);
        }
        expect(after.files.map(({ file_id }) => file_id)).toEqual(before.files.map(({ file_id }) => file_id));
      }),
      { numRuns: 30 },
    );
  });

  test('AGENT-5 a file is approved by its evidence or not at all: a wrong album that is looked at is not taken', () => {
    const files = batches[0] ?? [];
    const wrong = albums.filter((id) => id !== `album-${plans.indexOf(COMPUTER)}`).slice(0, 24);
    const after = match(files, [{ file_ids: files.map(({ file_id }) => file_id), album_ids: wrong }]);
    expect(after.files.map(({ track_id }) => track_id)).toEqual(plain[0]?.files.map(({ track_id }) => track_id));
  });

  test('AGENT-5, AGENT-62 what a person ruled out is not looked at again', () => {
    const { catalog, files, album_id } = agentCatalog();
    const standards = buildCatalogIndex(catalog);
    const evidence = files.map(({ path, tags, duration_ms }, n) => ({ file_id: `f${n}`, path, tags, duration_ms }));
    const entry = { file_ids: evidence.map(({ file_id }) => file_id), album_ids: [album_id] };
    const context: MatchContext = { type: 'spontaneous', lookAt: [entry] };
    const found = matchBatch({ files: evidence, context }, standards);
    expect(found.groups.map((group) => group.album_id)).toEqual([album_id]);
    expect(found.groups[0]?.searches.at(-1)).toEqual({ query: 'albums that the agent came upon', found: 1 });
    const refused = matchBatch({ files: evidence, context: { ...context, rejectedAlbums: [entry] } }, standards);
    expect(refused.groups.every((group) => group.album_id !== album_id)).toBe(true);
  });
});
