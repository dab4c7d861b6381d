/** How a run goes, on standard error: a line a unit, on a terminal drawn over itself. */
import { progressLine, type ProgressOutput } from '#cli/progress.ts';
import type { RunNews } from '#lanes/playbooks/core/run/ports.ts';

export function progress(output: ProgressOutput): (news: RunNews) => void {
  const drawn = output.isTTY === true ? progressLine(output) : null;
  const line = (text: string): void => {
    drawn?.clear();
    output.write(`${text}\n`);
  };
  let units = 0;
  let done = 0;
  return (news) => {
    switch (news.kind) {
      case 'opened':
        units = news.units;
        done = 0;
        line(`step "${news.step}": ${news.units} ${news.units === 1 ? 'unit' : 'units'}`);
        return;
      case 'asked':
        drawn?.say(`step "${news.step}": unit ${news.unit} is asked, ${done} of ${units} done`);
        return;
      case 'answered':
        done += 1;
        if (drawn === null) output.write(`step "${news.step}", unit ${news.unit}: answered (${done} of ${units})\n`);
        return;
      case 'failed':
        line(`step "${news.step}", unit ${news.unit}: ${news.message} (${news.code})`);
        return;
      case 'closed':
        line(`step "${news.step}": done, ${news.records} ${news.records === 1 ? 'record' : 'records'}`);
    }
  };
}
