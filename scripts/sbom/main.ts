/** `npm run sbom`: the bill of materials of package-lock.json, and what an own copy of OSV knows against it. Offline. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findingsOf, readAdvisories } from './advisories.ts';
import { billOf, partsOf, type Lock } from './lock.ts';

const USAGE = `npm run sbom -- [--out FILE] [--advisories DIRECTORY]

  --out FILE              the bill as CycloneDX 1.6 JSON (without it: to standard output, where nothing is checked)
  --advisories DIRECTORY  a copy of OSV's npm advisories (https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip,
                          unpacked); exit code 1 where one is known against a package that is shipped`;

const { values } = parseArgs({
  options: { out: { type: 'string' }, advisories: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help === true) {
  console.log(USAGE);
  process.exit();
}
// This repository's own: npm wrote it.
const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock;
const bill = `${JSON.stringify(billOf(lock), null, 2)}\n`;
if (values.out !== undefined) writeFileSync(values.out, bill);
else if (values.advisories === undefined) process.stdout.write(bill);
if (values.advisories !== undefined) {
  const advisories = await readAdvisories(values.advisories);
  const findings = findingsOf(partsOf(lock), advisories);
  for (const { part, id, summary } of findings)
    console.log(`${part.dev ? 'to build' : 'SHIPPED '}  ${part.name} ${part.version}  ${id}  ${summary}`);
  const shipped = findings.filter(({ part }) => !part.dev).length;
  console.log(`${findings.length} known (${shipped} in what is shipped), of ${advisories.length} advisories.`);
  if (shipped > 0) process.exitCode = 1;
}
