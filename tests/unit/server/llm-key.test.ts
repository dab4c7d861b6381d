import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FAILURES } from '#core/errors.ts';
import { KEY_COMMAND_LIMIT_MS, runKeyCommand, createKeySource } from '#server/llm/key-source.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accession-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lines = async (file: string): Promise<string[]> =>
  (await readFile(join(folder, file), 'utf8')).trim().split('\n');

/** Whether a process still does anything; one that nobody has buried yet (Z) does not. */
function alive(pid: string): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim().startsWith('Z');
  } catch {
    return false;
  }
}

describe('api_key_command', () => {
  test('LLM-63: its output, trimmed, is the key; it runs in a shell', async () => {
    expect(await runKeyCommand(`printf '  sk-%s\\n\\n' "$((40 + 2))" | cat`)).toEqual({ ok: true, value: 'sk-42' });
  });

  test('LLM-63: the limit is the specification’s 10 s', () => {
    expect(KEY_COMMAND_LIMIT_MS).toBe(10_000);
  });

  test('LLM-63: one that hangs is killed at the limit, with its children', async () => {
    const pids = join(folder, 'pids');
    const command = `sh -c 'echo $$ >> ${pids}; sleep 60; true' & echo $$ >> ${pids}; echo sk-partial-marker; wait`;
    const since = performance.now();
    const result = await runKeyCommand(command, { limitMs: 400 });
    expect(performance.now() - since).toBeLessThan(2500);
    expect(result).toMatchObject({ ok: false, failure: { code: 'model_unauthorized' } });
    expect(JSON.stringify(result)).toContain('did not end within 0.4 s');
    expect(JSON.stringify(result)).not.toContain('marker');
    const started = await lines('pids');
    expect(started).toHaveLength(2);
    await expect.poll(() => started.filter(alive), { timeout: 2000 }).toEqual([]);
  });

  test('LLM-63: a shell that ended while its child holds the pipe does not count as ended', async () => {
    const result = await runKeyCommand(`sleep 60 & echo $! > ${join(folder, 'pids')}; echo sk-early-marker`, {
      limitMs: 400,
    });
    expect(JSON.stringify(result)).toContain('did not end within');
    const started = await lines('pids');
    await expect.poll(() => started.filter(alive), { timeout: 2000 }).toEqual([]);
  });

  test.each([
    ['echo sk-marker; echo sk-marker >&2; exit 3', 'ended with code 3'],
    ['true', 'printed nothing'],
    ['echo sk-marker second', 'more than one word'],
    ['printf "sk-marker\\nsecond"', 'more than one word'],
    ['printf "sk-marker\\001x"', 'characters that no key has'],
    ['echo sk-marker; kill -TERM $$', 'was ended by SIGTERM'],
    ['yes sk-marker', 'far more than a key'],
    ['/no/such/program sk-marker', 'ended with code 127'],
  ])('LLM-65, LLM-93: %s fails in words, without what it printed', async (command, words) => {
    const said = JSON.stringify(await runKeyCommand(command, { limitMs: 5000 }));
    expect(said).toContain(words);
    expect(said).not.toContain('marker');
    expect(said).not.toContain(FAILURES.model_unauthorized.remedy);
  });

  test('LLM-63: a server that stops ends it', async () => {
    const stop = new AbortController();
    const running = runKeyCommand('sleep 60', { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    const late = await runKeyCommand('echo sk-late', { signal: stop.signal });
    expect(late).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  });
});

describe('the source of the key', () => {
  const source = () =>
    createKeySource({
      kind: 'command',
      command: `echo x >> ${folder}/n; echo "sk-number-$(wc -l < ${folder}/n | tr -d ' ')"`,
    });

  test('LLM-64: the command runs once until its key is refused, then once more', async () => {
    const keys = source();
    expect(await Promise.all([keys.get(), keys.get(), keys.get()])).toEqual(
      Array(3).fill({ ok: true, value: 'sk-number-1' }),
    );
    expect(await keys.get()).toEqual({ ok: true, value: 'sk-number-1' });
    expect(await Promise.all([keys.after('sk-number-1'), keys.after('sk-number-1')])).toEqual(
      Array(2).fill({ ok: true, value: 'sk-number-2' }),
    );
    expect(await keys.after('sk-number-1')).toEqual({ ok: true, value: 'sk-number-2' });
    expect(await lines('n')).toHaveLength(2);
    expect(keys.known).toEqual(['sk-number-2', 'sk-number-1']);
  });

  test('LLM-64: a run that failed is not kept', async () => {
    const keys = createKeySource({
      kind: 'command',
      command: `echo x >> ${folder}/n; test "$(wc -l < ${folder}/n)" -gt 1 && echo sk-second`,
    });
    expect((await keys.get()).ok).toBe(false);
    expect(await keys.get()).toEqual({ ok: true, value: 'sk-second' });
  });

  test('LLM-64: a fixed key, or none, stays what it is', async () => {
    const fixed = createKeySource({ kind: 'fixed', key: 'sk-fixed' });
    expect([await fixed.get(), await fixed.after('sk-fixed'), fixed.renewable]).toEqual([
      { ok: true, value: 'sk-fixed' },
      { ok: true, value: 'sk-fixed' },
      false,
    ]);
    const none = createKeySource({ kind: 'none' });
    expect([await none.get(), none.known]).toEqual([{ ok: true, value: null }, []]);
  });
});
