import { appendFileSync } from 'node:fs';
import fc from 'fast-check';

const counts = process.env['ACCESSION_SOAK'];

fc.configureGlobal({
  /** Property tests try the same values in every run, so that red is red for everybody; FC_SEED=n looks elsewhere. */
  seed: Number(process.env['FC_SEED'] ?? 20_261_122),
  ...(counts === undefined ? {} : { reporter: (details) => counted(details, counts) }),
});

/** In a soak (scripts/soak.mjs) each property says how many cases it tried. */
function counted(details: fc.RunDetails<unknown>, path: string): void {
  appendFileSync(path, `${details.numRuns}\n`);
  if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? 'a property failed');
}
