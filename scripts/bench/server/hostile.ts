/** The worst that a person who may edit can send: as large as is let in, or larger, right and wrong. */
import { wordOf } from './fill.ts';
import type { HostileRequest } from './crowd.ts';
import { savesOf, stepOf, type HeldLease } from './hostile-saves.ts';

const MB = 1024 * 1024;
const REFUSED = [400, 404, 409, 413, 422];

/**
 * @param scale 1: as large as the server lets in; a smaller share for a short run
 * @param lease what `leaseOf` answered, not long ago
 * @param ofSaves the same as `scale`, of a worker's saves
 */
export function hostileRequests(scale: number, lease: HeldLease, ofSaves = scale): HostileRequest[] {
  const bytes = (mb: number): number => Math.round(mb * MB * scale);
  const post = (
    name: string,
    path: string,
    body: string,
    status: readonly number[],
    method = 'POST',
    unread = false,
  ) => ({
    ...{ name, method, path, body, status, unread },
  });
  const catalog = '/v1/catalog/import';
  const rows = catalogOf(bytes(31), 1);
  return [
    ...savesOf(lease, (mb) => Math.round(mb * MB * ofSaves)),
    post('an import that only an administrator may send', catalog, ' '.repeat(118 * MB), [413], 'POST', true),
    post('an import of titles that nobody has', catalog, rows, [200]),
    post('the same again', catalog, rows, [200]),
    post('an import that is wrong at its end', catalog, `${catalogOf(bytes(30), 2).slice(0, -2)},{}]}`, [422]),
    post(
      'an import of wrong rows',
      catalog,
      `{"artists":[],"albums":[],"tracks":[${list('{}', bytes(31))}]}`,
      [413, 422],
    ),
    post('brackets', catalog, '['.repeat(bytes(31)), [400]),
    post('one long text', catalog, `{"a":"${'\\u00e9'.repeat(bytes(31) / 6)}"}`, [400, 413]),
    post('members without end', catalog, `{${keys(bytes(31))}}`, [400, 413]),
    post('a mirror of jobs', '/v1/ingestion/mirror', mirrorOf(bytes(30)), [200], 'PUT'),
    post('a mirror of nothing known', '/v1/ingestion/mirror', `{"jobs":[${list('1', bytes(30))}]}`, [400, 413], 'PUT'),
    post(
      'keys under no lease',
      '/v1/ingestion/claims/none/learned',
      `{"keys":[${list('"a"', bytes(7))}]}`,
      [404, 409],
      'POST',
      true,
    ),
    post('a save under no lease', '/v1/ingestion/claims/none', ' '.repeat(bytes(100)), [404, 409], 'PUT', true),
    post('a mirror of one job without end', '/v1/ingestion/mirror', stepsOf(bytes(30)), [200], 'PUT'),
    post('a run of files', '/v1/playbooks/runs', runOf(bytes(30)), [201, 413, 429]),
    post('a run of nothing known', '/v1/playbooks/runs', `{"files":[${list('1', bytes(30))}]}`, [400, 413]),
    ...['lines', 'end'].map((what) =>
      post(
        `${what} of a run under no lease`,
        `/v1/playbooks/claims/none/${what}`,
        ' '.repeat(bytes(9)),
        [409],
        'POST',
        true,
      ),
    ),
    post('a file of a run under no lease', '/v1/playbooks/claims/none/file', ' '.repeat(bytes(9)), [409], 'PUT', true),
    post('records of documents', '/v1/documents/records', `{"put":[${list('{}', bytes(4))}],"gone":[]}`, [400, 413]),
    post(
      'decisions over documents',
      '/v1/documents/folders/none/plan',
      `{"decided":[${list('{}', bytes(4))}]}`,
      [400, 404, 413],
    ),
    post('an album of wrong tracks', '/v1/catalog/albums', `{"tracks":[${list('{}', bytes(7))}]}`, [400, 413]),
    post('an album of tracks', '/v1/catalog/albums', albumOf(bytes(7)), [201, 400, 413]),
    post('a show of seasons', '/v1/catalog/shows', `{"seasons":[${list('{}', bytes(7))}]}`, [400, 413]),
    post(
      'a show of episodes',
      '/v1/catalog/shows',
      `{"title":"Endless","seasons":[${seasonOf(bytes(7))}]}`,
      [201, 413],
    ),
    post('a show changed', '/v1/catalog/shows/none', `{"seasons":[${seasonOf(bytes(7))}]}`, [404], 'PATCH'),
    post('a season', '/v1/catalog/shows/none/seasons/1', `{"episodes":[${episodes(bytes(7))}]}`, [404], 'PUT'),
    post(
      'an episode',
      '/v1/catalog/shows/none/seasons/1/episodes/1',
      `{"title":"${'x'.repeat(bytes(7))}"}`,
      REFUSED,
      'PUT',
    ),
    post('a plan', '/v1/plans', planOf(bytes(15)), REFUSED),
    post('a plan changed', '/v1/plans/none', planOf(bytes(15)), REFUSED, 'PATCH'),
    post('a chat', '/v1/llm/chat', `{"messages":[${list('{}', bytes(1.9))}]}`, REFUSED, 'POST', true),
    post('texts for vectors', '/v1/llm/embed', `{"texts":[${list('"x"', bytes(1.9))}]}`, REFUSED, 'POST', true),
  ];
}

/** A guide of a programme a minute taken in, written out, and given a lineup. */
export function guideRequests(scale: number): HostileRequest[] {
  const path = '/v1/guide/guides/hostile';
  const [method, status] = ['PUT', [200]];
  const entry = '{"GuideNumber":"1.1","GuideName":"One","URL":"http://tuner/auto/v1"}';
  return [
    { name: 'a guide taken in', method, path, body: guideOf(Math.round(16 * MB * scale)), status },
    { name: 'a guide written out', method: 'GET', path: `${path}/xmltv`, body: null, status },
    {
      name: 'its lineup',
      method,
      path: `${path}/lineup`,
      body: `[${list(entry, 3.9 * MB * scale)}]`,
      status: [200, 400, 413],
    },
  ];
}

function guideOf(bytes: number): string {
  const time = (minute: number): string =>
    `${new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString().replace(/[-:T]/g, '').slice(0, 14)} +0000`;
  const programmes: string[] = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    const text = `<title>${wordOf(at)}</title><desc>${wordOf(at * 7)} ${'words of it '.repeat(10)}</desc>`;
    programmes.push(`<programme start="${time(at)}" stop="${time(at + 1)}" channel="one">${text}</programme>`);
    size += programmes.at(-1)?.length ?? 0;
  }
  return `<tv><channel id="one"><display-name>One</display-name></channel>${programmes.join('')}</tv>`;
}

function list(item: string, bytes: number): string {
  return `${item},`.repeat(Math.floor(bytes / (item.length + 1))) + item;
}

function keys(bytes: number): string {
  return Array.from({ length: Math.floor(bytes / 14) }, (_, at) => `"k${at}":0`).join(',');
}

/** One administrator's imports of as much as is let in, all of the same rows. */
export function adminImports(scale: number, count: number): HostileRequest[] {
  const body = catalogOf(Math.round(118 * MB * scale), 3);
  const request = { method: 'POST', path: '/v1/catalog/import', body, status: [200] };
  return Array.from({ length: count }, (_, at) => ({ ...request, name: `import ${at + 1} of an administrator` }));
}

/** Rows of words that are in no index yet. */
function catalogOf(bytes: number, seed: number): string {
  const artist = `{"id":"ar_x${seed}","name":"Nobody"}`;
  const albums: string[] = [];
  const tracks: string[] = [];
  for (let size = 0, at = 0; size < bytes; at += 1) {
    const words = [1, 2, 3].map((nth) => wordOf(100_000 + (at * 3 + nth) * 7 * seed)).join(' ');
    const album = `al_x${seed}_${Math.floor(at / 12)}`;
    if (at % 12 === 0)
      albums.push(`{"id":"${album}","title":"${words}","artist_id":"ar_x${seed}","artist":"Nobody","year":null}`);
    const place = `"album_id":"${album}","disc":1,"position":${(at % 12) + 1}`;
    const whose = `"artist_id":"ar_x${seed}","artist":"Nobody","duration_ms":180000`;
    tracks.push(`{"id":"tr_x${seed}_${at}","title":"${words}",${place},${whose}}`);
    size += (tracks.at(-1)?.length ?? 0) + 10;
  }
  return `{"artists":[${artist}],"albums":[${albums.join()}],"tracks":[${tracks.join()}]}`;
}

function mirrorOf(bytes: number): string {
  const job = (at: number): string =>
    JSON.stringify({
      ...{ id: `hostile-${at}`, status: 'FAILED', original_filename: `${at}.flac`, file_size_bytes: 1 },
      ...{ duration_ms: null, codec: null, bitrate: null, context_type: 'spontaneous', context_id: null },
      ...{ matched_track_id: null, match_confidence: null, match_source: null, output_file_path: null },
      ...{ error_message: 'x'.repeat(500), created_at: 1, started_at: null, completed_at: 2, updated_at: 2 },
    });
  const jobs: string[] = [];
  for (let size = 0; size < bytes; size += jobs.at(-1)?.length ?? 0) jobs.push(job(jobs.length));
  return `{"jobs":[${jobs.join()}],"steps":[],"reviews":[]}`;
}

/** So many steps that one job has them all. */
function stepsOf(bytes: number): string {
  const steps: string[] = [];
  for (let size = 0; size < bytes; size += (steps.at(-1)?.length ?? 0) + 1)
    steps.push(JSON.stringify(stepOf('hostile-0', steps.length, '')));
  const [job = ''] = /\{"id":"hostile-0".*?\}/.exec(mirrorOf(1)) ?? [];
  return `{"jobs":[${job}],"steps":[${steps.join()}],"reviews":[]}`;
}

function albumOf(bytes: number): string {
  const place = (at: number): string => `"disc":${1 + Math.floor(at / 9000)},"position":${1 + (at % 9000)}`;
  const track = (at: number): string => `{"title":"${wordOf(at)}",${place(at)},"duration_ms":1000}`;
  const tracks: string[] = [];
  for (let size = 0; size < bytes; size += (tracks.at(-1)?.length ?? 0) + 1) tracks.push(track(tracks.length));
  return `{"title":"Endless","artist":"Nobody","year":2000,"tracks":[${tracks.join()}]}`;
}

function episodes(bytes: number): string {
  const all: string[] = [];
  for (let size = 0; size < bytes && all.length < 9000; size += (all.at(-1)?.length ?? 0) + 1)
    all.push(`{"number":${all.length + 1},"title":"${'x'.repeat(700)}"}`);
  return all.join();
}

const seasonOf = (bytes: number): string => `{"number":1,"episodes":[${episodes(bytes)}]}`;

function planOf(bytes: number): string {
  const files = list('{"path":"/nowhere/a.mkv","newPath":"/nowhere/b.mkv"}', bytes);
  return `{"task":"rename-files","mediaFolderPath":"/nowhere","files":[${files}]}`;
}

/** A playbook with as many files as are let in, as large as they may be. */
function runOf(bytes: number): string {
  const text = 'x'.repeat(1_500_000);
  const files = Array.from({ length: Math.max(1, Math.floor(bytes / text.length)) }, (_, at) => ({
    path: `${at}.md`,
    text,
  }));
  return JSON.stringify({ playbook: 'playbook: 1', files });
}
