/** What the test files of one run share, made by the first that needs it and removed here. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns what the run ends with */
export default function shared(): () => void {
  const template = join(tmpdir(), `accession-initdb-${process.pid}`);
  process.env['ACCESSION_PG_TEMPLATE'] = template;
  return () => rmSync(template, { recursive: true, force: true });
}
