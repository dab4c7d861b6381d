/** `metrics.json` beside a run's journal. */
import { join } from 'node:path';
import { writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { metricsOf, type RunMetrics } from '#lanes/playbooks/core/run/metrics.ts';
import type { Past } from '#lanes/playbooks/core/run/past.ts';

export async function writeMetrics(folder: string, past: Past): Promise<RunMetrics> {
  const metrics = metricsOf(past);
  await writeFileAtomic(join(folder, 'metrics.json'), `${JSON.stringify(metrics, null, 2)}\n`, 0o600);
  return metrics;
}
