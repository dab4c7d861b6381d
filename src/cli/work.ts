/** `accession work`: the flags, what accession.toml and the server say, and the line to whoever watches. */
import { hostname } from 'node:os';
import * as v from 'valibot';
import { ServerDefaultsSchema, type ServerDefaults } from '#core/agent/llm/wire.ts';
import type { Settings } from '#core/config.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { CatalogClient } from '#adapters/http/catalog-client.ts';
import { isFinal } from '#adapters/work/run-worker.ts';
import { workSettings } from '#adapters/work/settings.ts';
import type { FileConfig } from '#server/config-file.ts';
import { readText } from './eval/json-lines.ts';

/** A server that is away at the start is asked again after this. */
const AGAIN_MS = 5_000;

export interface WorkFlags {
  server: string;
  tokenFile?: string;
  once?: boolean;
  /** Of what is in hand; a temporary one when absent. */
  dir?: string;
  ffmpeg?: string;
  name?: string;
  /** commander's `--no-model`. */
  model: boolean;
}

/** The token, from the flag's file or ACCESSION_TOKEN. Throws AccessionError `unauthorized`. */
export async function readToken(
  flags: Pick<WorkFlags, 'tokenFile'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const said = flags.tokenFile === undefined ? env['ACCESSION_TOKEN'] : await readText(flags.tokenFile);
  const token = said?.trim() ?? '';
  if (token !== '') return token;
  throw new AccessionError(
    failure('unauthorized', 'There is no token for the server.', {
      remedy: 'Set ACCESSION_TOKEN, or name a file that holds it with --token-file.',
    }),
  );
}

export interface Waiting {
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  say(line: string): void;
  stop: AbortSignal;
}

/**
 * What the server says of itself, as soon as it is there (FAULT-14); null: stopped before. Throws AccessionError with
 * what waiting does not mend.
 */
export async function askDefaults(
  client: Pick<CatalogClient, 'config'>,
  { wait, say, stop }: Waiting,
): Promise<ServerDefaults | null> {
  let away = false;
  while (!stop.aborted) {
    const answer = await client.config();
    if (answer.ok) return v.parse(ServerDefaultsSchema, answer.value);
    const { message, retryAfterMs } = answer.failure;
    if (isFinal(answer.failure)) throw new AccessionError(answer.failure);
    if (!away) say(`waiting for the server: ${message}`);
    away = true;
    await wait(retryAfterMs ?? AGAIN_MS, stop);
  }
  return null;
}

/** The server's defaults are the worker's settings; its own accession.toml names the model, else the server's broker. */
export function settingsOf(defaults: ServerDefaults, file: FileConfig, wantsModel: boolean): Settings {
  const { llm } = file;
  const broker = defaults.broker ? ('broker' as const) : ('none' as const);
  const settings = workSettings(defaults);
  return {
    ...settings,
    llm_temperature: llm?.temperature ?? settings.llm_temperature,
    llm_timeout_secs: llm?.timeout_secs ?? settings.llm_timeout_secs,
    llm_provider: !wantsModel ? 'none' : (llm?.provider ?? broker),
    llm_base_url: llm?.base_url ?? '',
    llm_model: llm?.model ?? defaults.model ?? '',
    llm_context_length: llm?.context_length ?? settings.llm_context_length,
  };
}

/** How the server's list calls this worker. */
export function workerName(flags: WorkFlags): string {
  return (flags.name ?? `${hostname()} ${process.pid}`).slice(0, 100);
}
