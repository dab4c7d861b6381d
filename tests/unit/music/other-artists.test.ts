import { describe, expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, two, type AlbumPlan } from './small-catalog.ts';

/** How many of an album's files, under its titles, lengths and numbers, are approved with this artist in each tag. */
function approvedAs(plan: AlbumPlan, artist: string, others: readonly AlbumPlan[], credit?: string): number {
  const catalog: CatalogFile = catalogOf([plan, ...others, ...fillers(8)]);
  // What is credited to somebody of the album's people alone, as split albums have it.
  const tracks = catalog.tracks.map((track) =>
    credit !== undefined && track.artist === plan.artist ? { ...track, artist: credit } : track,
  );
  const files = plan.tracks.map(([title, seconds], i) =>
    file(`${two(i + 1)} ${title}.mp3`, seconds + 0.2, { title, artist, album: plan.title, track: i + 1 }),
  );
  const index = buildCatalogIndex({ ...catalog, tracks });
  const found = matchBatch({ files, context: { type: 'spontaneous' } }, index).files;
  return found.filter(({ track_id, confidence }) => track_id !== null && confidence > 0.9).length;
}

const all = ROAD.tracks.length;

describe('MATCH-104 an artist’s name that is another artist', () => {
  const by = (artist: string): AlbumPlan => ({ ...ROAD, artist });
  const beside = (artist: string): AlbumPlan => ({ ...COMPUTER, artist });

  it('is one that the catalog has as somebody else, though letters are alike', () => {
    expect(approvedAs(by('Deadskin'), 'Deadspin', [beside('Deadspin')])).toBe(0);
    expect(approvedAs(by('Led Zebulon'), 'Dread Zebulon', [beside('Dread Zebulon')])).toBe(0);
    // A slip of the pen, where nobody is called so.
    expect(approvedAs(by('Deadskin'), 'Deadspin', [])).toBe(all);
  });

  it('is one whose consonants alone are alike', () => {
    expect(approvedAs(by('Sebastian Love'), 'Subsotano', [])).toBe(0);
    expect(approvedAs(by('Sebastian Love'), 'Sbstn Lv', [])).toBe(all);
  });

  it('is a longer name of the album’s, also where a track is credited to one of its people', () => {
    const pair = by('Fever Asym, Livid(d)o');
    expect(approvedAs(pair, 'Fever Asym, Livid(d)o Tribute Band', [], 'Fever Asym')).toBe(0);
    expect(approvedAs(pair, 'The Fever Asym, Livid(d)o Experience', [], 'Fever Asym')).toBe(0);
    expect(approvedAs(pair, 'Fever Asym', [], 'Fever Asym')).toBe(all);
    expect(approvedAs(pair, 'Fever Asym, Livid(d)o', [], 'Fever Asym')).toBe(all);
    expect(approvedAs(pair, 'Fever Asym & Livid(d)o, Clara Wood', [])).toBe(all);
  });

  it('is such a longer name, however many words it has beside the one that is credited', () => {
    const pair = by('Fever Asym, Winter Took His Life');
    expect(approvedAs(pair, 'Fever Asym, Winter Took His Life Tribute Band', [], 'Fever Asym')).toBe(0);
    expect(approvedAs(pair, 'Fever Asym, Winter Took His Life', [], 'Fever Asym')).toBe(all);
    const orchestra = 'Arturo Holm, NBC Symphony Orchestra';
    expect(approvedAs(by('Arturo Holm'), 'Symphonic Arturo Holm Project', [], orchestra)).toBe(0);
    expect(approvedAs(by('Arturo Holm'), 'Arturo Holm NBC Symphony Orchestra', [], orchestra)).toBe(all);
  });

  it('is not one of several, nor all of them with one more', () => {
    expect(approvedAs(by('Tab & Anitek'), 'Anitek', [beside('Anitek')])).toBe(all);
    expect(approvedAs(by('Sir Georg Holm, Sumi Jo & Wiener Orchester'), 'Sir Georg Holm & Wiener Orchester', [])).toBe(
      all,
    );
  });
});
