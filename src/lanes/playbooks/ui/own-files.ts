/** Playbooks in a drop on Ingest: YAML that says so, with steps. */
import type { DroppedFile } from '#adapters/browser/api.ts';

/** Bytes of a playbook, at most (PB-1). */
const LARGEST = 256 * 1024;

async function isPlaybook({ path, file }: DroppedFile): Promise<boolean> {
  if (!/\.ya?ml$/i.test(path) || file.size > LARGEST) return false;
  const text = await file.text().catch(() => '');
  return /^playbook:[ \t]*1[ \t]*(?:#.*)?$/m.test(text) && /^steps:/m.test(text);
}

export async function playbooksIn(files: readonly DroppedFile[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const one of files) if (await isPlaybook(one)) found.push(one);
  return found;
}
