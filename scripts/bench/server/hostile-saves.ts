/** The worst that a worker can send under its lease: documents, logs and memories as large as a save may have. */
import type { HostileRequest } from './crowd.ts';

/** An upload of one file, under lease. */
export interface HeldLease {
  id: string;
  revision: number;
  job: string;
}

/** Uploads a file as this person, and takes it under a lease. */
export async function leaseOf(url: string, token: string): Promise<HeldLease> {
  const as = { Authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append('files', new Blob(['fLaC', new Uint8Array([0, 0, 0, 34]), token.repeat(40)]), 'hostile.flac');
  await fetch(`${url}/v1/ingestion/upload`, { method: 'POST', body: form, headers: as });
  const claimed = await fetch(`${url}/v1/ingestion/claims`, {
    method: 'POST',
    body: '{"worker":"hostile"}',
    headers: { ...as, 'Content-Type': 'application/json' },
  });
  const { claim } = (await claimed.json()) as {
    claim: { lease_id: string; revision: number; jobs: { id: string }[] } | null;
  };
  if (claim === null) throw new Error('nothing was to be claimed');
  return { id: claim.lease_id, revision: claim.revision, job: claim.jobs[0]?.id ?? '' };
}

/** @param bytes of so many megabytes, at this run's scale */
export function savesOf({ id, revision, job }: HeldLease, bytes: (mb: number) => number): HostileRequest[] {
  const path = `/v1/ingestion/claims/${id}`;
  const save = (name: string, at: number, rest: { document?: string; steps?: string; learned?: string }) => {
    const { document = '{}', steps = '', learned = '' } = rest;
    const rows = `"jobs":[],"steps":[${steps}],"reviews":[],"learned":[${learned}]`;
    const body = `{"revision":${revision + at},"state":"ready",${rows},"document":${JSON.stringify(document)}}`;
    return { name, method: 'PUT', path, body, status: [200] };
  };
  const ask = { method: 'POST', path: `${path}/learned`, status: [200] };
  return [
    save('a save of a document', 0, { document: document(bytes(60)) }),
    // A step of a job that is nobody's: it is looked for, and the save refused.
    { ...save('a save of a log', 1, { steps: many((at) => stepOf(job, at, 'x'), bytes(120)) }), status: [200, 413] },
    {
      ...save('a save that is wrong at its end', 2, { document: document(bytes(60)), steps: '{}' }),
      status: [400, 409],
    },
    save('a save of memories', 2, { learned: many((at) => memoryOf(at), bytes(60)) }),
    { name: 'all memories', body: '{"lane":"music","kind":"memory"}', ...ask },
  ];
}

/** As a worker's own rows are: quotes, signs beyond ASCII. */
function document(characters: number): string {
  const row = '{"title":"\u00dcn\u00efc\u00f6de \ud83d\ude00","path":"a/b.flac"},';
  return row.repeat(Math.ceil(characters / row.length)).slice(0, characters);
}

export const stepOf = (job_id: string, step_number: number, content: string): object => ({
  job_id,
  step: {
    ...{
      id: `hostile-${job_id}-${step_number}`,
      step_number: 1 + (step_number % 9999),
      timestamp: 1,
      step_type: 'Context',
      content,
    },
    ...{ metadata: {}, duration_ms: null },
  },
});

const memoryOf = (at: number): object => ({
  lane: 'music',
  kind: 'memory',
  key: `key ${at}`,
  at,
  value: 'x'.repeat(900),
});

function many(row: (at: number) => object, bytes: number): string {
  const rows: string[] = [];
  for (let size = 0; size < bytes; size += (rows.at(-1)?.length ?? 0) + 1) rows.push(JSON.stringify(row(rows.length)));
  return rows.join();
}
