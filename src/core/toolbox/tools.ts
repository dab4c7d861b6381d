/** Every tool of the toolbox. A new one is a file beside this, and its line here (TOOLBOX-2 compares the two). */
import { failed } from '../errors.ts';
import type { ToolboxTool } from './tool.ts';
import { cas } from './cas.ts';
import { frameQuery } from './frame-query.ts';
import { frameVerbs } from './frame-verbs.ts';
import { gisRead } from './gis-read.ts';
import { graph } from './graph.ts';
import { maltegoRead } from './maltego-read.ts';
import { map } from './map.ts';
import { mineClassify } from './mine-classify.ts';
import { mineCluster } from './mine-cluster.ts';
import { minePca } from './mine-pca.ts';
import { mineRules } from './mine-rules.ts';
import { pageRead } from './page-read.ts';
import { plot } from './plot.ts';
import { pythonRun } from './python-run.ts';
import { rRun } from './r-run.ts';
import { spice } from './spice.ts';
import { statAnova } from './stat-anova.ts';
import { statChiSquare } from './stat-chi-square.ts';
import { statCorrelation } from './stat-correlation.ts';
import { statDescribe } from './stat-describe.ts';
import { statMeta } from './stat-meta.ts';
import { statRankTest } from './stat-rank-test.ts';
import { statRegression } from './stat-regression.ts';
import { statTTest } from './stat-t-test.ts';
import { statZTest } from './stat-z-test.ts';
import { stixRead } from './stix-read.ts';
import { tex } from './tex.ts';

/** In the order in which they are offered. */
export const TOOLS: readonly ToolboxTool[] = [
  ...[statDescribe, statTTest, statZTest, statChiSquare, statAnova, statCorrelation, statRankTest, statRegression],
  ...[
    statMeta,
    frameQuery,
    frameVerbs,
    cas,
    spice,
    mineCluster,
    minePca,
    mineClassify,
    mineRules,
    plot,
    map,
    graph,
    tex,
    gisRead,
    maltegoRead,
    pageRead,
    stixRead,
    rRun,
    pythonRun,
  ],
];

/** @param among those that there are. Throws AccessionError `not_found` that names them. */
export function toolNamed(name: string, among: readonly ToolboxTool[] = TOOLS): ToolboxTool {
  const found = among.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  throw failed('not_found', `There is no tool "${name.slice(0, 60)}".`, {
    remedy: `There are: ${among.map((tool) => tool.name).join(', ')}.`,
  });
}
