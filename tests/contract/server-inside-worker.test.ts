/** A server that works on uploads itself: nobody opens a browser, nobody starts a worker. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { makeAudio } from '../fixtures/audio.ts';
import { childOf, isRunning } from '../fixtures/processes.ts';
import { programFile } from '../fixtures/program-file.ts';
import { curlForm } from '../fixtures/worker.ts';

const TIMEOUT = 240_000;
const CATALOG: CatalogFile = {
  artists: [{ id: 'ar', name: 'The Testers' }],
  albums: [{ id: 'al', title: 'Inside Sessions', artist_id: 'ar', artist: 'The Testers', year: 2020 }],
  tracks: ['First Light', 'Second Wind', 'Third Rail'].map((title, at) => ({
    ...{ id: `tr_${at}`, album_id: 'al', artist_id: 'ar', artist: 'The Testers', title },
    ...{ disc: 1, position: at + 1, duration_ms: 20_000 + at * 7000 },
  })),
};
const MAIN = programFile('server/main.ts');

test(
  'WORK-40 an upload is finished by the server alone, and its worker ends with it, however it ends',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'accession-inside-'));
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...{
          ACCESSION_DATA: data,
          ACCESSION_TOKEN: 'token-of-this-test',
          PORT: '0',
          ACCESSION_DEMO: '0',
          ACCESSION_INSIDE_WORKERS: '1',
        },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString('utf8')));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await rm(data, { recursive: true, force: true });
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /^(\S+)\/#token/.exec(line.toString('utf8'))?.[1] ?? '';
    const ask = async <T>(method: string, path: string, body?: BodyInit, headers = {}): Promise<T> => {
      const init = { method, body: body ?? null, headers: { Authorization: 'Bearer token-of-this-test', ...headers } };
      return (await (await fetch(`${url}${path}`, init)).json()) as T;
    };
    await ask('POST', '/v1/catalog/import', JSON.stringify(CATALOG), { 'Content-Type': 'application/json' });
    const [track] = CATALOG.tracks;
    const [album] = CATALOG.albums;
    if (!track || !album) throw new Error('the catalog is empty');
    const bytes = await makeAudio({
      ...{ format: 'flac', seconds: (track.duration_ms ?? 0) / 1000, seed: 1 },
      tags: { title: track.title, artist: track.artist, album: album.title, track: track.position },
    });
    const form = curlForm([{ name: `01 - ${track.title}.flac`, bytes }]);
    await ask('POST', '/v1/ingestion/upload', form.body as BodyInit, form.headers);
    const jobs = async () => (await ask<{ items: MirroredJob[] }>('GET', '/v1/ingestion/jobs')).items;
    await expect
      .poll(async () => (await jobs()).map(({ status, matched_track_id }) => [status, matched_track_id]), {
        timeout: TIMEOUT,
        interval: 250,
      })
      .toEqual([['COMPLETED', track.id]]);

    const pid = await childOf(child.pid ?? 0);
    child.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: 120_000, interval: 250 }).toBe(false);
    expect(log).toContain('working for');
  },
  TIMEOUT,
);
