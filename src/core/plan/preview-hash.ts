import { createSHA256 } from 'hash-wasm';
import { canonical } from '../agent/tools/canonical.ts';
import type { RenameFilesPlan } from './plan.ts';

/**
 * SHA-256 (lower-case hex) of the plan's canonical document: what a person was shown and what is carried out are the
 * same when this is. The status is left out, since deciding about a plan changes it.
 */
export async function previewHash(plan: Omit<RenameFilesPlan, 'status'>): Promise<string> {
  const { id, task, mediaFolderPath } = plan;
  const files = plan.files.map(({ from, to }) => ({ from, to }));
  return (await createSHA256()).update(canonical({ id, task, mediaFolderPath, files })).digest();
}
