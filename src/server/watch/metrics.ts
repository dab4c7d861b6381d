/** What Prometheus reads: requests as they come, and counts of what is in the database. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ServerDeps } from '../lane-server.ts';

/** Counting a large catalog costs; two scrapes within this time get the same counts, milliseconds. */
const COUNTED_MS = 10_000;
const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

type MetricDeps = Pick<ServerDeps, 'store' | 'blobs' | 'clock' | 'lanes'>;

export class Metrics {
  /** Open sockets; set by whoever holds them. */
  sockets: () => number = () => 0;
  readonly #deps: MetricDeps;
  readonly #registry = new Registry();
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'method' | 'route'>;
  readonly #gauges: Record<'sockets' | 'uploads', Gauge> & { rows: Gauge<'table' | 'state'> };
  #begun = false;
  #countedAt = -COUNTED_MS;

  constructor(deps: MetricDeps) {
    this.#deps = deps;
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'accession_requests_total',
      help: 'Requests that were answered.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'accession_request_seconds',
      help: 'From the request to the head of its answer.',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers,
    });
    this.#gauges = {
      sockets: new Gauge({ name: 'accession_sockets', help: 'Open WebSockets of this process.', registers }),
      uploads: new Gauge({ name: 'accession_uploads', help: 'Uploads that are not published yet.', registers }),
      rows: new Gauge({
        name: 'accession_rows',
        help: 'Jobs by status, waiting work by state, open reviews, and what lanes count (tracks with and without audio).',
        labelNames: ['table', 'state'],
        registers,
      }),
    };
  }

  /** @param route as the table names it: an address of its own would make a series of its own */
  answered(method: string, route: string, status: number, ms: number): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#seconds.observe({ method, route }, ms / 1000);
  }

  /** Counts that lanes keep in the database: they are the same in every process, and survive its end. */
  async #laneCounts(): Promise<void> {
    for (const lane of this.#deps.lanes)
      for (const { name, help, label, counts } of (await lane.metrics?.(this.#deps.store.db)) ?? []) {
        const known = this.#registry.getSingleMetric(name) as Counter | undefined;
        const labelNames = label === undefined ? [] : [label];
        const counter = known ?? new Counter({ name, help, labelNames, registers: [this.#registry] });
        counter.reset();
        for (const { of, count } of counts)
          if (label === undefined) counter.inc(count);
          else counter.inc({ [label]: of }, count);
      }
  }

  /** The whole text, and its content type. */
  async read(): Promise<{ text: string; type: string }> {
    if (!this.#begun) collectDefaultMetrics({ register: this.#registry });
    this.#begun = true;
    this.#gauges.sockets.set(this.sockets());
    const now = this.#deps.clock.now();
    if (now - this.#countedAt >= COUNTED_MS) {
      this.#countedAt = now;
      await this.#count();
      await this.#laneCounts();
    }
    return { text: await this.#registry.metrics(), type: this.#registry.contentType };
  }

  async #count(): Promise<void> {
    const { db } = this.#deps.store;
    const { rows, uploads } = this.#gauges;
    rows.reset();
    const set = (table: string, state: string, count: number | string | bigint): void =>
      rows.set({ table, state }, Number(count));
    const jobs = db.selectFrom('ingestion_jobs').select((eb) => ['status', eb.fn.countAll().as('count')]);
    for (const row of await jobs.groupBy('status').execute()) set('jobs', row.status, row.count);
    const work = db.selectFrom('work_batches').select((eb) => ['state', eb.fn.countAll().as('count')]);
    for (const row of await work.groupBy('state').execute()) set('work', row.state, row.count);
    for (const lane of this.#deps.lanes)
      for (const { table, state, count } of (await lane.counts?.(db)) ?? []) set(table, state, count);
    const open = db.selectFrom('ingestion_reviews').select((eb) => eb.fn.countAll().as('count'));
    set('reviews', 'open', (await open.where('resolved_at', 'is', null).executeTakeFirstOrThrow()).count);
    uploads.set((await this.#deps.blobs.listUploads()).length);
  }
}
