/** What people's answers say of the matcher's proposals, for the page of statistics. */
import { logOdds, type CalibrationSample } from '#lanes/music/core/calibration/local-profile.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import { db } from '#ui/client/db.ts';
import type { Judged } from '#ui/lane-ui.ts';

/** Those that were asked and not answered yet say nothing. */
export const judgedSamples = (samples: readonly Pick<CalibrationSample, 'features' | 'right'>[]): Judged[] =>
  samples.flatMap(({ features, right }) =>
    right === null ? [] : [{ confidence: 1 / (1 + Math.exp(-logOdds(SHIPPED_PROFILE, features))), right }],
  );

export const judged = async (): Promise<Judged[]> => judgedSamples(await db.samples.toArray());
