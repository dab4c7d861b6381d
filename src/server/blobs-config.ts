/** Where audio is kept: on the disk, or in a bucket by `[blobs]` of accession.toml and the environment. */
import * as v from 'valibot';
import { AccessionError, failure } from '#core/errors.ts';
import { ConfigError, type Environment } from './config.ts';
import { BlobsTable } from './config-schema.ts';
import { KeySource, type KeySetting } from './llm/key-source.ts';

export interface BlobsConfig {
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or ends with `/`. */
  prefix: string;
  pathStyle: boolean;
  accessKeyId: string;
  sessionToken: string | null;
  key: KeySetting;
}

/** Which variable says what a key of `[blobs]` says, too. The environment goes first. */
const VARIABLES = {
  endpoint: 'ACCESSION_S3_ENDPOINT',
  region: 'ACCESSION_S3_REGION',
  bucket: 'ACCESSION_S3_BUCKET',
  prefix: 'ACCESSION_S3_PREFIX',
  path_style: 'ACCESSION_S3_PATH_STYLE',
  access_key_id: 'AWS_ACCESS_KEY_ID',
} as const;

/**
 * null: on the disk, for nothing is said of a bucket.
 * @param file how messages call accession.toml
 * @throws ConfigError for a bucket whose name, region or key is not said, or said wrongly
 */
export function blobsOf(
  table: v.InferOutput<typeof BlobsTable> | undefined,
  env: Environment,
  file: string,
): BlobsConfig | null {
  if (table === undefined && said(env, 'bucket') === null) return null;
  const { endpoint, region = 'us-east-1', bucket, ...rest } = { ...table, ...fromEnvironment(env) };
  if (bucket === undefined)
    throw new ConfigError(`${file}: [blobs] "bucket" must be said (or ${VARIABLES.bucket} in the environment).`);
  const { prefix = '', path_style = endpoint !== undefined, access_key_id, secret_access_key_command } = rest;
  if (access_key_id === undefined)
    throw new ConfigError(`${file}: [blobs] "access_key_id" must be said (or ${VARIABLES.access_key_id}).`);
  const secret = env['AWS_SECRET_ACCESS_KEY']?.trim() ?? '';
  return {
    endpoint: (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, ''),
    region,
    bucket,
    prefix: prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`,
    pathStyle: path_style,
    accessKeyId: access_key_id,
    sessionToken: env['AWS_SESSION_TOKEN']?.trim() || null,
    key:
      secret !== ''
        ? { kind: 'fixed', key: secret }
        : secret_access_key_command === undefined
          ? { kind: 'none' }
          : { kind: 'command', command: secret_access_key_command },
  };
}

/**
 * The secret key of a bucket; its command is asked anew when the storage has refused what it said before.
 * @throws ConfigError where there is none
 */
export function secretOf({ key }: BlobsConfig): (refused: string | null) => Promise<string> {
  if (key.kind === 'none')
    throw new ConfigError(
      'The bucket needs its secret key: set AWS_SECRET_ACCESS_KEY, or [blobs] "secret_access_key_command".',
    );
  const source = new KeySource(key, { name: 'secret_access_key_command' });
  return async (refused) => {
    const found = refused === null ? await source.get() : await source.after(refused);
    if (!found.ok) throw new AccessionError(failure('storage_failed', found.failure.message));
    return found.value ?? '';
  };
}

function said(env: Environment, key: keyof typeof VARIABLES): string | null {
  return env[VARIABLES[key]]?.trim() || null;
}

function fromEnvironment(env: Environment): v.InferOutput<typeof BlobsTable> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]) {
    const text = said(env, key);
    if (text === null) continue;
    const flag = text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : text;
    found[key] = key === 'path_style' ? flag : text;
  }
  const read = v.safeParse(BlobsTable, found);
  if (read.success) return read.output;
  const key = String(read.issues[0].path?.[0].key) as keyof typeof VARIABLES;
  throw new ConfigError(`${VARIABLES[key]} must be ${read.issues[0].message}.`);
}
