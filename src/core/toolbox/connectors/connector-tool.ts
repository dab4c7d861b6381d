/** A tool that asks a source: each answer carries address, time, hash and licence of all that was read for it. */
import { sha256 } from 'hash-wasm';
import * as v from 'valibot';
import { AccessionError, failed } from '../../errors.ts';
import type { CancelSignal } from '../../cancel.ts';
import { allowedBy, plainHost } from '../../domains.ts';
import { toolboxTool, type Fault, type Output, type ToolboxContext, type ToolboxTool } from '../tool.ts';
import type { Connector, NetAnswer } from './net.ts';

/** Where an answer comes from. */
const SourceSchema = v.object({
  address: v.string(),
  fetched_at: v.string(),
  sha256: v.string(),
  bytes: v.number(),
  licence: v.string(),
  attribution: v.string(),
  /** The day on which a recorded answer was given; null: it was asked now. */
  recorded: v.nullable(v.string()),
});
export type Source = v.InferOutput<typeof SourceSchema>;

export interface ConnectorTool<Input = unknown> extends ToolboxTool<Input> {
  connector: Connector;
}

interface ConnectorSpec<Input> {
  connector: Connector;
  version?: number;
  description: string;
  input: v.GenericSchema<unknown, Input>;
  output: v.ObjectEntries;
  example: Input;
  check?(input: Input): Fault | null;
  read(input: Input, ask: Asking): Promise<Output>;
}

export function connectorTool<Input>(spec: ConnectorSpec<Input>): ConnectorTool<Input> {
  const { connector, check, ...more } = spec;
  const tool = toolboxTool<Input>({
    ...{ name: connector.name, version: more.version ?? 1, runtime: 'none', description: more.description },
    ...{ input: more.input, example: more.example, ...(check === undefined ? {} : { check }) },
    output: v.looseObject({ ...more.output, sources: v.array(SourceSchema) }),
    async compute(input, { context, signal }) {
      const asking = new Asking(connector, context, signal);
      const output = await more.read(input, asking);
      return { ...output, sources: asking.sources };
    },
    from: ({ sources }) => provenanceOf(sources as Source[]),
  });
  return { ...tool, connector };
}

const provenanceOf = (sources: readonly Source[]): { source: string; ref: string }[] =>
  sources.flatMap(({ address, fetched_at, sha256: hash, licence, recorded }) => [
    { source: 'address', ref: address },
    { source: recorded === null ? 'fetched' : 'recorded', ref: recorded ?? fetched_at },
    { source: 'sha256', ref: hash },
    { source: 'licence', ref: licence },
  ]);

/** What one call asks of its source. Every method throws AccessionError. */
export class Asking {
  readonly sources: Source[] = [];
  readonly #connector: Connector;
  readonly #context: ToolboxContext;
  readonly #signal: CancelSignal | undefined;

  constructor(connector: Connector, context: ToolboxContext, signal: CancelSignal | undefined) {
    this.#connector = connector;
    this.#context = context;
    this.#signal = signal;
  }

  async bytes(url: string, accept: string): Promise<NetAnswer> {
    const { net, domains = null } = this.#context;
    const { name, hosts, licence, attribution } = this.#connector;
    const host = plainHost(url);
    if (host === null || url.length > 4000)
      throw failed('tool_refused', `${name}: only plain https addresses are asked.`, { subject: 'url' });
    if (!allowedBy(host, [hosts, domains]))
      throw failed('tool_refused', `${name}: ${host} is not among the domains that may be asked.`, {
        subject: 'domains',
        remedy: 'Name the domain in the step or the question (domains).',
      });
    if (net === undefined) throw failed('tool_unavailable', `${name} has no network here.`);
    const answered = await net.ask({ connector: this.#connector, url, accept, domains }, this.#signal);
    if (!answered.ok) throw new AccessionError(ofTool(name, answered.failure));
    const { value } = answered;
    const fetched_at = new Date(value.at).toISOString();
    this.sources.push({
      ...{ address: value.url, fetched_at, sha256: await sha256(value.bytes), bytes: value.bytes.length },
      ...{ licence, attribution, recorded: value.recorded ? fetched_at.slice(0, 10) : null },
    });
    return value;
  }

  async text(url: string, accept: string): Promise<string> {
    return (await this.bytes(url, accept)).text();
  }

  async json(url: string, accept = 'application/json'): Promise<unknown> {
    const text = await this.text(url, accept);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw failed('tool_unavailable', `${plainHost(url) ?? ''} answered what is no JSON.`, { cause });
    }
  }
}

/** Of the failures of a port those that tools have. */
function ofTool(name: string, failure: AccessionError['failure']): AccessionError['failure'] {
  const message = `${name}: ${failure.message}`;
  if (failure.code !== 'offline' && failure.code !== 'rate_limited') return { ...failure, message };
  const { retryAfterMs } = failure;
  return failed('tool_unavailable', message, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    remedy: failure.code === 'offline' ? 'Ask again when there is a network.' : 'Ask again later.',
  }).failure;
}
