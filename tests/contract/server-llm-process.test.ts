import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBroker } from '#adapters/llm/broker.ts';
import type { ServerDefaults } from '#core/agent/llm/wire.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { programFile } from '../fixtures/program-file.ts';
import { asked, QUESTION } from './llm-provider.ts';

/** Starting Node takes a while when the machine is busy. */
const TIMEOUT = 300_000;
const MAIN = programFile('server/main.ts');

let data: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-broker-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(data, { recursive: true, force: true });
});

function run(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ACCESSION_DATA: data,
      ACCESSION_TOKEN: 'token-of-this-test',
      PORT: '0',
      ACCESSION_DEMO: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString('utf8')));
  return { child, output, exited: once(child, 'close').then(([code]) => code as number | null) };
}

test(
  'LLM-60: the program takes accession.toml from its data directory, lends the model, and keeps the key to itself',
  async () => {
    const models = await startModelServer({ key: 'sk-marker-77', reply: () => ({ content: 'B' }) });
    try {
      const toml = `
        [agent]
        max_iterations = 9
        [agent.llm]
        provider = "openai"
        base_url = "${models.url}/v1"
        model = "tiny:latest"
        api_key_command = "cat '${data}/key'"
        [ingestion]
        max_upload_size_mb = 3
        output_bitrate = "192k"`;
      await writeFile(join(data, 'accession.toml'), toml);
      await writeFile(join(data, 'key'), 'sk-marker-77\n');
      const server = run();
      await expect.poll(() => server.output.out, { timeout: TIMEOUT }).toContain('\n');
      const baseUrl = server.output.out.split('/#')[0] ?? '';
      const opened = await openBroker({ baseUrl, token: () => Promise.resolve('token-of-this-test') });
      if (!opened.ok) throw new Error(opened.failure.message);
      expect(await opened.value.complete(QUESTION, undefined, asked())).toMatchObject({ ok: true });
      const answer = await fetch(`${baseUrl}/v1/config`, { headers: { Authorization: 'Bearer token-of-this-test' } });
      const told = (await answer.json()) as ServerDefaults;
      expect(told).toMatchObject({
        broker: true,
        provider: 'openai',
        model: 'tiny:latest',
        max_iterations: 9,
        max_upload_size_mb: 3,
        output_bitrate: '192k',
      });
      server.child.kill('SIGTERM');
      expect(await server.exited).toBe(0);
      expect(server.output.err).toContain('"message":"model call"');
      expect(server.output.err + server.output.out + JSON.stringify(told)).not.toMatch(/marker|api_key/);
    } finally {
      await models.close();
    }
  },
  TIMEOUT,
);

test(
  'LLM-61: a file that is not understood keeps the program from starting, in one sentence',
  async () => {
    const path = join(data, 'other.toml');
    await writeFile(path, '[agent.llm]\napi_kee = "sk-marker-1"\n');
    const server = run({ ACCESSION_CONFIG: path });
    expect(await server.exited).toBe(1);
    expect(server.output.err).toBe(`accession: ${path}: [agent.llm] has no key "api_kee".\n`);
    expect(server.output.out).toBe('');
  },
  TIMEOUT,
);
