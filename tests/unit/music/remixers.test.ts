import { describe, expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { ROAD, catalogOf, file, fillers, two, type AlbumPlan } from './small-catalog.ts';

/** Confidence of the first file, whose title in the catalog is `known` and which is called `said`. */
function confidence(known: string, said: string): number {
  const plan: AlbumPlan = { ...ROAD, tracks: [[known, 259], ...ROAD.tracks.slice(1)] };
  const index = buildCatalogIndex(catalogOf([plan, ...fillers(8)]));
  const files = plan.tracks.map(([title, seconds], i) => {
    const name = i === 0 ? said : title;
    return file(`${two(i + 1)} ${name}.mp3`, seconds + 0.2, { title: name, artist: plan.artist, album: plan.title });
  });
  return matchBatch({ files, context: { type: 'spontaneous' } }, index).files[0]?.confidence ?? 0;
}

describe('MATCH-105 somebody’s remix', () => {
  it('is not the remix of somebody else, nor one that the catalog calls a rework', () => {
    expect(confidence('Take Your Time (Rework)', 'Take Your Time (Rework) (Nightmoth Remix)')).toBeLessThan(0.9);
    expect(confidence('Take Your Time (Kestrel Remix)', 'Take Your Time (Nightmoth Remix)')).toBeLessThan(0.9);
  });

  it('is that of the catalog, also damaged or without the name', () => {
    expect(confidence('Take Your Time (Kestrel Remix)', 'Take Your Time (Kestrel Remix)')).toBeGreaterThan(0.9);
    expect(confidence('Take Your Time (Kestrel Remix)', 'Take Your Time (Kestrl Rmx)')).toBeGreaterThan(0.9);
    expect(confidence('Take Your Time (Kestrel Remix)', 'Take Your Time (Remix)')).toBeGreaterThan(0.9);
    expect(confidence('Take Your Time (Kestrel Remix)', "Take Your Time - DJ Kestrel's Club Remix")).toBeGreaterThan(
      0.9,
    );
  });
});

describe('MATCH-106 words of files at the end of a name', () => {
  const index = buildCatalogIndex(catalogOf([ROAD, ...fillers(8)]));
  const alone = (name: string): number =>
    matchBatch({ files: [file(name, 182.2, {})], context: { type: 'spontaneous' } }, index).files[0]?.confidence ?? 0;

  it('are no title, behind a dash or a blank', () => {
    const plain = alone('The Tidewalkers - Something Blue.mp3');
    expect(plain).toBeGreaterThan(0.9);
    for (const end of [' - MP3', ' MP3', ' - CUE', ' - Official Audio', ' - 320 kbps', ' {WEB}'])
      expect(alone(`The Tidewalkers - Something Blue${end}.mp3`), end).toBeGreaterThan(0.9);
  });
});
