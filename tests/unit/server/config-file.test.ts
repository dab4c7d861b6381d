import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServerDefaultsSchema, USUAL_DEFAULTS } from '#core/agent/llm/wire.ts';
import { secretOf, readConfigFile } from '#server/config-file.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { USUAL_UPLOAD_LIMITS } from '#server/work/upload-limits.ts';
import * as v from 'valibot';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-config-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function read(toml: string) {
  await writeFile(join(data, 'accession.toml'), toml, { mode: 0o600 });
  return readConfigFile({}, data);
}

async function refused(toml: string): Promise<string> {
  try {
    await read(toml);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace(join(data, 'accession.toml'), 'FILE');
    throw error;
  }
  throw new Error('it was taken');
}

const SPEC = `
[agent]
enabled = true
max_iterations = 12

[agent.llm]
provider = "ollama"
base_url = "http://localhost:11434"
model = "llama3.1:8b"
temperature = 0.3
timeout_secs = 120

[ingestion]
enabled = true
temp_dir = "{db_dir}/ingestion_uploads"
max_upload_size_mb = 500
auto_approve_threshold = 0.95
ffmpeg_path = "ffmpeg"
output_bitrate = "256k"
`;

describe('accession.toml', () => {
  test('LLM-60, LLM-91: without a file the broker is off and all is as usual', async () => {
    const file = await readConfigFile({}, data);
    expect(file).toMatchObject({ path: null, llm: null, defaults: USUAL_DEFAULTS, exposed: false });
    expect(file.ingestion).toEqual({
      temp_dir: join(data, 'ingestion_uploads'),
      max_upload_size_mb: null,
      limits: USUAL_UPLOAD_LIMITS,
      ffmpeg_path: 'ffmpeg',
    });
  });

  test('LLM-60, LLM-92: the specification’s own example is taken, with the data directory for {db_dir}', async () => {
    const file = await read(SPEC);
    expect(file.llm).toEqual({
      provider: 'ollama',
      base_url: 'http://localhost:11434',
      model: 'llama3.1:8b',
      embedding_model: null,
      temperature: 0.3,
      timeout_secs: 120,
      context_length: 8192,
      key: { kind: 'none' },
      limits: { requests_per_minute: 60, tokens_per_day: 2_000_000 },
    });
    expect(file.ingestion.temp_dir).toBe(join(data, 'ingestion_uploads'));
    expect(file.defaults).toMatchObject({ max_iterations: 12, auto_approve_threshold: 0.95, output_bitrate: '256k' });
    expect(v.is(ServerDefaultsSchema, file.defaults)).toBe(true);
    expect(readConfig({}, { uploadMb: file.ingestion.max_upload_size_mb, inside: 0 }).maxUploadBytes).toBe(
      500 * 1024 * 1024,
    );
    const env = { ACCESSION_MAX_UPLOAD_MB: '7' };
    expect(readConfig(env, { uploadMb: file.ingestion.max_upload_size_mb, inside: 0 }).maxUploadBytes).toBe(
      7 * 1024 * 1024,
    );
  });

  test('LLM-60: an [agent] alone is the specification’s defaults; enabled = false is off', async () => {
    expect((await read('[agent]')).llm).toMatchObject({ provider: 'ollama', model: 'llama3.1:8b' });
    expect((await read('[agent]\nenabled = false')).llm).toBeNull();
    expect((await read('[ingestion]\nenabled = false')).defaults).toMatchObject({ broker: false, ingestion: false });
  });

  test('LLM-60: ACCESSION_CONFIG names another file, which then has to be there', async () => {
    const path = join(data, 'other.toml');
    await expect(readConfigFile({ ACCESSION_CONFIG: path }, data)).rejects.toThrow('other.toml: there is no such file');
    await writeFile(path, '\uFEFF[agent.llm]\nmodel = "qwen3:4b"\n[agent.limits]\nrequests_per_minute = 5');
    const { llm } = await readConfigFile({ ACCESSION_CONFIG: path }, data);
    expect(llm).toMatchObject({ model: 'qwen3:4b', limits: { requests_per_minute: 5, tokens_per_day: 2_000_000 } });
    await expect(readConfigFile({ ACCESSION_CONFIG: data }, data)).rejects.toThrow('cannot be read (EISDIR)');
  });

  test('LLM-62: both forms of a key, and a file that others may read', async () => {
    const openai = '[agent.llm]\nprovider = "openai"\nmodel = "m"\n';
    expect((await read(`${openai}api_key_command = "vault kv get x"`)).llm?.key).toEqual({
      kind: 'command',
      command: 'vault kv get x',
    });
    const file = await read(`${openai}api_key = "sk-secret-1"`);
    expect(file).toMatchObject({ exposed: false, llm: { base_url: 'https://api.openai.com/v1' } });
    expect(file.llm?.key).toEqual({ kind: 'fixed', key: 'sk-secret-1' });
    expect(JSON.stringify(file.defaults)).not.toContain('sk-secret-1');
    await chmod(join(data, 'accession.toml'), 0o644);
    expect((await readConfigFile({}, data)).exposed).toBe(true);
  });

  test.each([
    ['[agnet]', 'FILE: the file has no table "agnet".'],
    ['[agent]\nmax_iteration = 2', 'FILE: [agent] has no key "max_iteration".'],
    ['[agent.llm]\nmodle = "x"', 'FILE: [agent.llm] has no key "modle".'],
    ['agent = 5', 'FILE: "agent" must be a table.'],
    ['[agent]\nllm = "x"', 'FILE: [agent] "llm" must be a table.'],
    ['[agent]\nenabled = "yes"', 'FILE: [agent] "enabled" must be true or false.'],
    ['[agent]\nmax_iterations = 0', 'FILE: [agent] "max_iterations" must be a whole number from 1 to 100.'],
    ['[agent.llm]\nprovider = "bard"', 'FILE: [agent.llm] "provider" must be "ollama" or "openai".'],
    ['[agent.llm]\ntemperature = "hot"', 'FILE: [agent.llm] "temperature" must be a number from 0 to 2.'],
    ['[agent.llm]\ntimeout_secs = 1.5', 'FILE: [agent.llm] "timeout_secs" must be a whole number from 1 to 3600.'],
    ['[agent.llm]\nprovider = "openai"', 'FILE: [agent.llm] "model" must be said for the provider "openai".'],
    ['[agent.limits]\ntokens_per_day = 0', 'must be a whole number from 1 to 1000000000000.'],
    ['[ingestion]\noutput_bitrate = 320', 'FILE: [ingestion] "output_bitrate" must be one of 64k, 80k,'],
    ['[ingestion]\nauto_approve_threshold = 90', '"auto_approve_threshold" must be a number from 0.5 to 1.'],
    ['[[agent]]\nenabled = true', 'FILE: [agent] has no key "0".'],
    ['[agent]\n__proto__ = 1', 'FILE: line 2'],
    ['[agent\nenabled = true', 'FILE: line 1'],
  ])('LLM-61: %j is refused in one sentence', async (toml, sentence) => {
    const said = await refused(toml);
    expect(said).toContain(sentence);
    expect(said).not.toContain('\n');
  });

  test.each([
    '[agent.llm]\napi_key = "sk-marker-9\n',
    '[agent.llm]\napi_key = "sk-marker-9\\q"\n',
    '[agent.llm]\napi_key = sk-marker-9\n',
    '[agent.llm]\napi_key = "sk-marker-9"\napi_key = "sk-marker-9"\n',
    '[agent.llm]\napi_key = "sk-marker-9"\napi_key_command = "echo sk-marker-9"\n',
    '[agent.llm]\napi_key = ["sk-marker-9"]\n',
    '[agent.llm]\napi_key = "sk-marker-9 and more"\n',
    '[agent.llm]\nbase_url = "https://user:sk-marker-9@host/v1"\n',
    '[agent.llm]\nbase_url = "https://host/v1?key=sk-marker-9"\n',
    '[agent.llm]\nbase_url = "sk-marker-9"\n',
  ])('LLM-61: a refused value is never repeated: %j', async (toml) => {
    expect(await refused(toml)).not.toContain('marker');
  });
});

describe('[blobs]', () => {
  const FULL = `
[blobs]
endpoint = "http://127.0.0.1:9000/"
region = "eu-1"
bucket = "music"
prefix = "accession/audio"
path_style = false
access_key_id = "AK"
secret_access_key_command = "cat key"
`;

  test('STORE-24: audio is on the disk until a bucket is named; every key is read, and the environment goes first', async () => {
    expect((await read('')).blobs).toBeNull();
    expect((await read(FULL)).blobs).toEqual({
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
      bucket: 'music',
      prefix: 'accession/audio/',
      pathStyle: false,
      accessKeyId: 'AK',
      sessionToken: null,
      key: { kind: 'command', command: 'cat key' },
    });
    const env = {
      ACCESSION_S3_BUCKET: 'other',
      ACCESSION_S3_REGION: 'eu-2',
      ACCESSION_S3_ENDPOINT: 'https://s3.test',
      ACCESSION_S3_PREFIX: 'p/',
      ACCESSION_S3_PATH_STYLE: '1',
      AWS_ACCESS_KEY_ID: 'ENV',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
    };
    const said = {
      endpoint: 'https://s3.test',
      region: 'eu-2',
      bucket: 'other',
      prefix: 'p/',
      pathStyle: true,
      accessKeyId: 'ENV',
      sessionToken: 'session',
      key: { kind: 'fixed', key: 'secret' },
    };
    // The file of the test before is still there.
    expect((await readConfigFile(env, data)).blobs).toEqual(said);
    await rm(join(data, 'accession.toml'));
    expect((await readConfigFile(env, data)).blobs).toEqual(said);
    const least = { ACCESSION_S3_BUCKET: 'music', AWS_ACCESS_KEY_ID: 'AK' };
    expect((await readConfigFile(least, data)).blobs).toMatchObject({
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      prefix: '',
      pathStyle: false,
      key: { kind: 'none' },
    });
  });

  test('STORE-24: what is missing, unknown or wrong is named, and no value is repeated', async () => {
    expect(await refused('[blobs]\nregion = "eu-1"')).toContain('FILE: [blobs] "bucket" must be said');
    expect(await refused('[blobs]\nbucket = "music"')).toContain('"access_key_id" must be said');
    expect(await refused('[blobs]\nbuket = "music"')).toBe('FILE: [blobs] has no key "buket".');
    expect(await refused('[blobs]\nsecret_access_key = "x"')).toBe('FILE: [blobs] has no key "secret_access_key".');
    expect(await refused('[blobs]\nbucket = "My_Bucket"')).toContain('[blobs] "bucket" must be the name of a bucket');
    expect(await refused('[blobs]\nendpoint = "http://a:b@c"')).toContain('[blobs] "endpoint" must be an http');
    for (const prefix of ['../x', '/x', 'a//b', '.', 'a b'])
      expect(await refused(`[blobs]\nprefix = "${prefix}"`), prefix).toContain('"prefix" must be folders');
    await rm(join(data, 'accession.toml'));
    const told = (env: Record<string, string>) => readConfigFile(env, data);
    const bucket = { ACCESSION_S3_BUCKET: 'music', AWS_ACCESS_KEY_ID: 'AK' };
    await expect(told({ ...bucket, ACCESSION_S3_PATH_STYLE: 'maybe' })).rejects.toThrow(
      'ACCESSION_S3_PATH_STYLE must be true or false.',
    );
    const none = await told(bucket);
    expect(() => none.blobs && secretOf(none.blobs)).toThrow('set AWS_SECRET_ACCESS_KEY');
    const failing = { ...(none.blobs ?? expect.unreachable()), key: { kind: 'command', command: 'exit 3' } } as const;
    await expect(secretOf(failing)(null)).rejects.toThrow('secret_access_key_command ended with code 3');
  });
});
