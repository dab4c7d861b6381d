/** Guides at work over a store in memory, with a clock of our own. */
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import { GuideApp, type GuideAppPorts } from '#lanes/guide/core/app/guide-app.ts';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import { openFaults, type OpenFault } from '#lanes/guide/core/app/open-faults.ts';
import type { GuideWorld } from '#lanes/guide/core/app/tool-sources.ts';
import { ShowIndex } from '#lanes/guide/core/repair/show-catalog.ts';
import { archiveOf, MemoryRunStore } from '#lanes/guide/core/run/memory-run-store.ts';
import { DEFAULT_RUN_SETTINGS, type RunRecord, type Signs } from '#lanes/guide/core/run/run.types.ts';
import { MemoryGuideStore } from '#lanes/guide/core/store/memory-guide-store.ts';

/** A programme; `begin` in hours of 10 March 2026. */
export const programme = (
  begin: number,
  inside: string,
  attributes = `stop="2026031${begin + 1 > 23 ? '1' : '0'}${two((begin + 1) % 24)}0000 +0000"`,
): string => `<programme start="20260310${two(begin)}0000 +0000" ${attributes} channel="one">${inside}</programme>`;
const two = (hour: number): string => String(hour).padStart(2, '0');
export const where = (begin: number): string => `one@20260310${two(begin)}0000 +0000`;
export const guideXml = (...programmes: string[]): string =>
  `<?xml version="1.0"?><tv><channel id="one"><display-name>One</display-name></channel>${programmes.join('')}</tv>`;

export const SERIES = '<category>Series</category>';
const SHOWS = new ShowIndex({
  shows: [
    {
      title: 'Harbour',
      titles: [],
      year: 2020,
      seasons: [{ number: 2, episodes: [{ number: 5, title: 'The Quay', air_date: null }] }],
    },
  ],
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

export class AppWorld {
  readonly store = new MemoryGuideStore();
  readonly runs = new MemoryRunStore();
  readonly said: string[] = [];
  now = Date.UTC(2026, 2, 10);
  signs: Signs = { containment: false, restarts: [], pool: null };
  world: GuideWorld = {
    shows: () => Promise.resolve(SHOWS),
    refresh: () =>
      Promise.resolve({ changed: 0, diff: [], skipped: [{ where: '', field: '', why: 'No media server is set up.' }] }),
    probe: () => Promise.resolve(true),
    mismatch: () => Promise.resolve(false),
    derive: () => Promise.resolve({ changed: 0, diff: [], skipped: [] }),
  };
  readonly app: GuideApp;
  #ids = 0;

  constructor(changes: Partial<GuideAppPorts> = {}) {
    this.app = new GuideApp({
      ...{ store: this.store, runs: this.runs, archive: archiveOf(this.runs), owner: 'me' },
      clock: { now: () => this.now },
      ids: { next: () => `id${++this.#ids}` },
      settings: () => Promise.resolve({ ...DEFAULT_RUN_SETTINGS, metadata_self_resolution_enabled: true }),
      signs: () => Promise.resolve(this.signs),
      ask: () => Promise.resolve(null),
      world: {
        shows: () => this.world.shows(),
        refresh: () => this.world.refresh(),
        probe: () => this.world.probe(),
        mismatch: () => this.world.mismatch(),
        derive: () => this.world.derive(),
      },
      wait: () => Promise.resolve(),
      said: () => undefined,
      log: (line) => void this.said.push(line),
      ...changes,
    });
  }

  async comes(xml: string, guide = 'g', zone: string | null = null): Promise<void> {
    await importGuide(this.store, bytesOf(xml), { guide, kind: 'file', name: `${guide}.xml`, zone }, { now: this.now });
  }

  /** A run by hand, to its end; later than the cooldown of the one before. */
  async run(channel: string | null = null): Promise<RunRecord & { outcome: 'success' | 'failure' | 'aborted' }> {
    this.now += 3_600_000;
    const begun = await this.app.runs.trigger({ how: 'demand', channel, by_run: false });
    if (!begun.begun) throw new Error(`no run: ${begun.reason}`);
    await begun.ended;
    const record = this.runs.records.find(({ id }) => id === begun.run);
    if (record === undefined || record.outcome === 'skipped') throw new Error('no record');
    return record;
  }

  /** `where TYPE code` of each open fault. */
  async open(channel: string | null = null): Promise<string[]> {
    return (await this.faults(channel)).map(({ where: place, type, code }) => `${place} ${code ?? type}`).sort();
  }

  async faults(channel: string | null = null): Promise<OpenFault[]> {
    const all: OpenFault[] = [];
    for await (const faults of openFaults(this.store, { guide: null, channel, days: null })) all.push(...faults);
    return all;
  }

  async exported(mended = true): Promise<string> {
    const record = await this.store.guide('g');
    if (record === null) throw new Error('no guide');
    let text = '';
    for await (const piece of exportStored(this.store, record, mended)) text += piece;
    return text;
  }
}
