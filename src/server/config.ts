/** What the environment says. Bad values are refused with a sentence, never guessed. */
import { isIP } from 'node:net';
import { USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';

export interface ServerConfig {
  /** 0: any free one. */
  port: number;
  /** Directory of everything that the server writes. */
  data: string;
  /** A PostgreSQL database to be used in the place of the data directory's own, or null. Secret. */
  databaseUrl: string | null;
  /** The admin's token, or null to make one and keep it in the data directory. */
  token: string | null;
  /** Load the demo catalog on the first start. */
  demo: boolean;
  origins: string[];
  /** Names beside this machine's own under which the server is asked. */
  hosts: string[];
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  maxUploadBytes: number;
  /** Workers of its own. */
  insideWorkers: number;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * PORT, ACCESSION_DATA, DATABASE_URL, ACCESSION_TOKEN, ACCESSION_DEMO, ACCESSION_ORIGINS, ACCESSION_TRUSTED_PROXIES,
 * ACCESSION_HOSTS, ACCESSION_MAX_UPLOAD_MB, ACCESSION_INSIDE_WORKERS.
 * @param said what accession.toml says of the last three; the environment goes before it
 */
export function readConfig(
  env: Environment,
  said: { uploadMb: number | null; inside: number; hosts?: string[] } = { uploadMb: null, inside: 1 },
): ServerConfig {
  return {
    port: integer(env, 'PORT', 8787, 0, 65_535),
    data: dataDirectory(env),
    databaseUrl: databaseUrl(env),
    token: readToken(env['ACCESSION_TOKEN']),
    demo: env['ACCESSION_DEMO'] !== '0',
    origins: listOf(env['ACCESSION_ORIGINS']).map(readOrigin),
    hosts: env['ACCESSION_HOSTS'] === undefined ? (said.hosts ?? []) : listOf(env['ACCESSION_HOSTS']).map(readHost),
    trustedProxies: listOf(env['ACCESSION_TRUSTED_PROXIES']).map(readAddress),
    maxUploadBytes:
      integer(env, 'ACCESSION_MAX_UPLOAD_MB', said.uploadMb ?? USUAL_DEFAULTS.max_upload_size_mb, 1, 1_048_576) *
      1024 *
      1024,
    insideWorkers: integer(env, 'ACCESSION_INSIDE_WORKERS', said.inside, 0, 16),
  };
}

/** As the environment names it; may be relative. */
export function dataDirectory(env: Environment): string {
  return env['ACCESSION_DATA']?.trim() || './data';
}

/** Throws ConfigError, which does not repeat it: a password may be in it. */
export function databaseUrl(env: Environment): string | null {
  const text = env['DATABASE_URL']?.trim() ?? '';
  if (text === '') return null;
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new ConfigError('DATABASE_URL must be an address like postgres://user:password@host:5432/accession.');
}

function integer(env: Environment, name: string, usual: number, least: number, most: number): number {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

function readToken(text: string | undefined): string | null {
  const token = text?.trim() ?? '';
  if (token === '') return null;
  // Sixteen characters of a kind that nobody guesses; what the server makes itself has 43.
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw new ConfigError(
    'ACCESSION_TOKEN must be 16 to 512 printable characters without blanks: it lets anybody in who guesses it.',
  );
}

/** Exactly as a browser sends it: scheme, host, port. */
function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function readAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new ConfigError(`ACCESSION_TRUSTED_PROXIES: "${text}" is no address like 127.0.0.1.`);
}

/** A name as the `Host` of a request has it, without its port. */
export const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?|\[[0-9a-f:]{2,45}\])$/;

function readHost(text: string): string {
  const name = text.toLowerCase();
  if (HOST.test(name)) return name;
  throw new ConfigError(`ACCESSION_HOSTS: "${text}" is no name like music.example (without http:// and port).`);
}

function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new ConfigError(`ACCESSION_ORIGINS: "${text}" is no origin like https://music.example.`);
}
