/** A run as a ZIP: playbook, config, journal, numbers and the files that it wrote. */
import JSZip from 'jszip';
import { metricsOf } from '../core/run/metrics.ts';
import { jsonLines } from '../core/run/lines-log.ts';
import { numbersOfRun } from '../core/run/numbers.ts';
import { pastOf } from '../core/run/past.ts';

export async function exportRun(
  lines: readonly unknown[],
  textOf: (path: string) => Promise<string | null>,
): Promise<Blob> {
  const past = pastOf(lines);
  const zip = new JSZip();
  zip.file('playbook.yaml', past.head.playbook);
  zip.file('config.json', `${JSON.stringify({ ...past.head.config, ...past.head.set }, null, 2)}\n`);
  zip.file('journal.jsonl', jsonLines(lines));
  zip.file('metrics.json', `${JSON.stringify(metricsOf(past), null, 2)}\n`);
  zip.file('numbers.jsonl', jsonLines(numbersOfRun(lines)));
  for (const { closed } of past.steps.values())
    for (const { path } of closed?.files ?? []) {
      const text = await textOf(path);
      if (text !== null) zip.file(`files/${path}`, text);
    }
  return zip.generateAsync({ type: 'blob', compression: 'DEFLATE' });
}
