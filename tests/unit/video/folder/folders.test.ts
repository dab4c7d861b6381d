import { describe, expect, test } from 'vitest';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import { testFolders } from '../../../fixtures/video-folders.ts';

/** What a plan would take from a folder, one line a file. */
function answer(path: string, kind: string, season: number | null, episodes: readonly number[]): string {
  return kind === 'episode' ? `${path} | ${season}x${episodes.join()}` : `${path} | ${kind}`;
}

describe('VIDEO-30 a folder is read as a whole', () => {
  test.each(testFolders())('VIDEO-101, VIDEO-32, VIDEO-35, VIDEO-38, VIDEO-40 $name', ({ title, show, truth }) => {
    const reading = readFolder(
      [...truth.keys()].map((path) => ({ path })),
      { folderName: title, show },
    );
    const wanted = [...truth].map(([path, one]) => answer(path, one.class, one.season, one.episodes));
    const said = reading.files.map((file) =>
      answer(
        file.path,
        file.class === 'episode' && file.confidence < PLAN_CONFIDENCE ? 'doubtful' : file.class,
        file.season,
        file.episodes,
      ),
    );
    expect(said).toEqual(wanted);
    for (const file of reading.files) {
      const leader = truth.get(file.path)?.leader ?? null;
      if (leader !== null) expect(file.belongs_to).toBe(leader);
      expect(file.reasons.length).toBeGreaterThan(0);
    }
  });
});
