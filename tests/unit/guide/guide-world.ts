import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkCommand, type CheckFlags } from '#lanes/guide/cli/check-command.ts';
import type { GuideCheck } from '#lanes/guide/core/check.ts';

/** A file, for as long as this test runs. */
export function fileOf(content: string | Uint8Array, ending = 'xml'): string {
  const directory = mkdtempSync(join(tmpdir(), 'guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, `guide.${ending}`);
  writeFileSync(path, content);
  return path;
}

/** What `accession guide check --json` says. */
export async function checked(
  guide: string | Uint8Array,
  { lineup, zone }: { lineup?: string; zone?: string } = {},
): Promise<GuideCheck & { code: number }> {
  const said: string[] = [];
  const flags: CheckFlags = { json: true };
  if (lineup !== undefined) flags.lineup = fileOf(lineup, 'lineup');
  if (zone !== undefined) flags.zone = zone;
  const code = await checkCommand(fileOf(guide), flags, (line) => said.push(line));
  return { ...(JSON.parse(said.join('')) as GuideCheck), code };
}

/** The faults as `where code`, in alphabetical order; those of what is said in a programme by their type. */
export async function faultsOf(
  guide: string | Uint8Array,
  options: { lineup?: string; zone?: string } = {},
): Promise<string[]> {
  const { faults } = await checked(guide, options);
  return faults.map(({ type, where, code }) => `${where} ${code ?? type}`).sort();
}

export const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A guide of channel `a`, called Alpha, number 1, around programmes. */
export const guide = (programmes: string, channels = channel('a', 'Alpha', '1')): string =>
  `${HEAD}<tv>${channels}${programmes}</tv>`;

export const channel = (id: string, ...names: string[]): string =>
  `<channel id="${id}">${names.map((name) => `<display-name>${name}</display-name>`).join('')}</channel>`;

export interface Said {
  start?: string;
  stop?: string | null;
  channel?: string;
  attributes?: string;
  title?: string;
  /** Behind the title. */
  inside?: string;
}

/** A programme without faults, but for what is said. */
export function programme(said: Said = {}): string {
  const {
    start = '20240501100000 +0000',
    stop = null,
    channel: id = 'a',
    attributes = '',
    title = 'The Long Road',
  } = said;
  const { inside = '<episode-num system="xmltv_ns">0.1.</episode-num>' } = said;
  const stops = stop === null ? '' : ` stop="${stop}"`;
  return `<programme start="${start}"${stops} channel="${id}"${attributes}><title>${title}</title>${inside}</programme>`;
}

/** Programmes of channel `a`, an hour each, one after the other. */
export const hours = (of: readonly Said[]): string =>
  of.map((said, at) => programme({ start: startOf(at), ...said })).join('');

/** The start of the so-many-th of them. */
export const startOf = (at: number): string => {
  const day = String(1 + Math.floor(at / 24)).padStart(2, '0');
  return `202405${day}${String(at % 24).padStart(2, '0')}0000 +0000`;
};
