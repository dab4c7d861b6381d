import { join } from 'node:path';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mulberry32 } from '#core/mulberry32.ts';
import { lookupLines, lookupOne } from '#lanes/documents/cli/lookup-one.ts';
import type { LookupAnswer, LookupPorts } from '#lanes/documents/core/lookup/lookup.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';
import { lookupInNode } from '#lanes/documents/node/lookup-ports.ts';
import { crossrefWork, startMetadataServer, type SourceReply } from '../fixtures/metadata-server.ts';
import { runProgram } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const DOI: Identifier = { kind: 'doi', value: '10.5555/River.2019.42' };
const OWN = '10.5555/river.2019.42';
const MISSING: SourceReply = { status: 404, type: 'text/plain', body: 'Resource not found.' };

/** This machine's ports, over the test's server, on a clock that only waiting moves. */
function portsOf(data: string, send: typeof fetch, clock = { at: 1_767_225_600_000 }): LookupPorts {
  return {
    ...lookupInNode(data, new AbortController().signal, send),
    clock: { now: () => clock.at },
    wait: (ms) => Promise.resolve(void (clock.at += ms)),
    random: mulberry32(3),
  };
}

async function look(
  asked: Identifier,
  replies: Record<string, SourceReply[]>,
): Promise<{ answer: LookupAnswer; hosts: string[]; paths: string[] }> {
  await using folder = await temporaryFolder();
  await using server = await startMetadataServer(replies);
  const answer = await lookupOne(asked, {}, portsOf(folder.base, server.fetch));
  return { answer, hosts: server.asked.map(({ host }) => host), paths: server.asked.map(({ path }) => path) };
}

test('DOCUMENT-25 a DOI is asked of Crossref, then of DataCite, then of doi.org, which sends on to its agency', async () => {
  const csl = JSON.stringify({
    DOI: OWN,
    type: 'article-journal',
    title: 'Counting the river',
    author: [{ literal: 'A Group' }],
    issued: { 'date-parts': [['2015']] },
  });
  const { answer, hosts, paths } = await look(DOI, {
    'api.crossref.org': [MISSING],
    'api.datacite.org': [MISSING],
    'doi.org': [{ to: 'agency.example/csl' }],
    'agency.example': [{ type: 'application/vnd.citationstyles.csl+json', body: csl }],
  });
  expect(answer).toMatchObject({
    outcome: 'found',
    source: 'doi.org',
    record: { doi: OWN, date: '2015', authors: ['A Group'] },
  });
  expect(hosts).toEqual(['api.crossref.org', 'api.datacite.org', 'doi.org', 'agency.example']);
  expect(paths[0]).toBe('/works/10.5555%2Friver.2019.42');
});

test('DOCUMENT-25 nobody has it: that is said only where all three said so', async () => {
  const all = await look(DOI, {
    'api.crossref.org': [MISSING],
    'api.datacite.org': [MISSING],
    'doi.org': [{ status: 404, type: 'text/html', body: '<title>Not found</title>' }],
  });
  expect(all.answer.outcome).toBe('not_found');
  // A portal in between says 404 for everybody.
  const portal = await look(DOI, {
    'api.crossref.org': [{ status: 404, type: 'text/html', body: '<title>Sign in</title>' }],
  });
  expect(portal.answer).toMatchObject({ outcome: 'later' });
  expect(new Set(portal.hosts)).toEqual(new Set(['api.crossref.org']));
});

test('DOCUMENT-25 a book is asked of the second source also where the first is down, and is not called missing then', async () => {
  const down: SourceReply[] = Array.from({ length: 6 }, () => ({ status: 503, body: '' }));
  const isbn: Identifier = { kind: 'isbn', value: '0-306-40615-2' };
  const volume = { title: 'Rivers', industryIdentifiers: [{ type: 'ISBN_10', identifier: '0306406152' }] };
  const found = await look(isbn, {
    'openlibrary.org': [...down],
    'www.googleapis.com': [{ body: JSON.stringify({ totalItems: 1, items: [{ volumeInfo: volume }] }) }],
  });
  expect(found.answer).toMatchObject({
    outcome: 'found',
    source: 'googlebooks',
    record: { isbn: '9780306406157', date: '', year: null },
  });
  const none = await look(isbn, { 'openlibrary.org': [...down], 'www.googleapis.com': [{ body: '{"totalItems":0}' }] });
  expect(none.answer.outcome).toBe('later');
});

test('DOCUMENT-26 what is cut, garbled or refused for now is asked again at most five times, longer apart each time', async () => {
  const { answer, hosts } = await look(DOI, {
    'api.crossref.org': [
      { cut: '{"message":' },
      { type: 'text/html', body: '<h1>Welcome to the hotel</h1>' },
      { status: 429, headers: { 'retry-after': '7' }, body: '' },
      { body: crossrefWork(OWN) },
    ],
  });
  expect(answer.outcome).toBe('found');
  expect(hosts).toHaveLength(4);
  const gone = await look(DOI, {});
  expect(gone.hosts).toHaveLength(6);
  expect(gone.answer).toMatchObject({
    outcome: 'later',
    why: expect.stringContaining('api.crossref.org did not answer'),
  });
});

test('DOCUMENT-27 a record of another document is refused, and one that no source sends on is not followed', async () => {
  const other = await look(DOI, { 'api.crossref.org': [{ body: crossrefWork('10.5555/other') }] });
  expect(other.answer).toMatchObject({ outcome: 'refused', why: expect.stringContaining('10.5555/other') });
  const sent = await look(DOI, {
    'api.crossref.org': [{ to: 'elsewhere.example/works' }],
    'elsewhere.example': [{ body: crossrefWork(OWN) }],
  });
  expect(sent.answer.outcome).toBe('later');
  expect(sent.hosts).not.toContain('elsewhere.example');
  const large = await look(DOI, {
    'api.crossref.org': [{ body: crossrefWork(OWN, { abstract: 'x'.repeat(2_100_000) }) }],
  });
  expect(large.answer).toMatchObject({ outcome: 'later' });
});

test('DOCUMENT-28 an answer is kept in the data directory and serves without a network at any age', async () => {
  await using folder = await temporaryFolder();
  await using server = await startMetadataServer({
    'api.crossref.org': [{ body: crossrefWork(OWN) }, { body: crossrefWork(OWN, { title: ['Anew'] }) }],
  });
  const clock = { at: 1_767_225_600_000 };
  const ports = portsOf(folder.base, server.fetch, clock);
  const ask = (flags: { offline?: boolean; rescan?: boolean } = {}) => lookupOne(DOI, flags, ports);
  await ask();
  expect(await readdir(join(folder.base, 'documents', 'answers'))).toHaveLength(1);
  await ask();
  expect(server.asked).toHaveLength(1);
  clock.at += 400 * 86_400_000;
  expect(lookupLines(await ask({ offline: true })).at(-1)).toBe('from crossref, 2026-01-01T00:00:00.000Z');
  expect(server.asked).toHaveLength(1);
  // Too old: asked anew, as --rescan does with a young one.
  expect(await ask()).toMatchObject({ record: { title: 'Anew' } });
  // The network is gone: what is kept is better than nothing.
  expect(await ask({ rescan: true })).toMatchObject({ record: { title: 'Anew' } });
  const never = await lookupOne({ kind: 'doi', value: '10.5555/never' }, { offline: true }, ports);
  expect(lookupLines(never)).toEqual(['later: api.crossref.org was never asked, and nothing is asked offline.']);
});

test('DOCUMENT-30 `documents lookup` of the terminal: offline in words, and recorded conversations', async () => {
  await using folder = await temporaryFolder();
  const run = async (...args: string[]) => {
    const program = await runProgram('cli/main.ts', ['documents', 'lookup', ...args], { ACCESSION_DATA: folder.base });
    return { code: await program.exited, out: program.stdout(), err: program.stderr() };
  };
  const [cases, out] = [join(folder.base, 'cases.jsonl'), join(folder.base, 'out.jsonl')];
  const http = [{ host: 'api.crossref.org', status: 200, headers: {}, body: crossrefWork(OWN) }];
  await writeFile(cases, JSON.stringify({ id: 'a', ask: [{ doi: OWN }], offline: false, cache: [], http }));
  const [offline, recorded] = await Promise.all([
    run('--isbn', '9780306406157', '--offline'),
    run('--cases', cases, '--out', out),
  ]);
  expect(offline).toMatchObject({ code: 1, out: expect.stringMatching(/^later: openlibrary.org was never asked/) });
  expect(recorded.code).toBe(0);
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({
    id: 'a',
    answers: [{ outcome: 'found', source: 'crossref', record: { doi: OWN, title: 'Counting the river' } }],
    requests: [{ host: 'api.crossref.org', at_ms: 0 }],
  });
});
