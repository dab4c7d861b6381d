import * as v from 'valibot';
import { UploadAnswerSchema } from '#core/sync/work-protocol.ts';
import { json, route, type Route } from '../api/route.ts';
import { parse } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import type { Answer } from '../http/made-answer.ts';
import { boundaryOf } from '../http/multipart.ts';
import { isUsed, keepAnswer, keptAnswer, idempotencyKey, keyed, requestHash, send } from '../http/mutate.ts';
import { chunksOf, paced } from '../http/stream.ts';
import type { ServerDeps } from '../lane-server.ts';
import { tidy } from '../log.ts';
import { forget, receive, type Received } from '../work/receive.ts';
import { takeUpload, type UploadContext } from '../work/take-upload.ts';
import { Receiving, refuseBeyond, waitingBytes } from '../work/upload-limits.ts';

const ContextSchema = v.object({
  context_type: v.optional(v.picklist(['spontaneous', 'download_request']), 'spontaneous'),
  context_id: v.optional(v.string()),
});

/** The form in OpenAPI's words; `ContextSchema` reads its plain fields. */
const FORM = {
  type: 'object',
  required: ['files'],
  properties: {
    files: { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
    context_type: { enum: ['spontaneous', 'download_request'], default: 'spontaneous' },
    context_id: { type: 'string', description: 'Of the download request.' },
  },
};

const DESCRIPTION = `Fields: \`files\` (once for each file), \`context_type\` ("spontaneous", when absent, or \
"download_request") and \`context_id\` (the request's id). Each file of sound and each archive becomes a job; what comes \
out of an archive are jobs with its id as \`parent_job_id\`. A worker takes them up. A file that is neither is a job that \
FAILED and says why; the others go on.`;

type Deps = Pick<
  ServerDeps,
  'store' | 'originals' | 'clock' | 'ids' | 'log' | 'events' | 'lanes' | 'maxUploadBytes' | 'uploadLimits'
>;

/** POST /v1/ingestion/upload */
export function uploadFilesRoutes(deps: Deps): Route[] {
  const receiving = new Receiving();
  const most = deps.uploadLimits;
  return [
    route('POST /v1/ingestion/upload', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'Upload files to be worked on; answers the ids of their jobs.',
      description: DESCRIPTION,
      headers: {
        'Idempotency-Key': 'The same files sent again under it are answered as before, and not taken twice.',
      },
      body: {
        type: 'multipart/form-data',
        description: 'Form fields and files, as `curl -F` sends them.',
        schema: FORM,
      },
      maxBody: null,
      replies: { 201: json(UploadAnswerSchema, 'The jobs.') },
      failures: [408, 413, 422, 503, 507],
      idempotent: 'key',
      takesFiles: true,
      async answer(c) {
        const boundary = boundaryOf(c.req.header('content-type'));
        // A bad key is said before gigabytes are read.
        const { key } = { key: idempotencyKey(c) };
        const { body } = c.req.raw;
        if (!body) throw new HttpError('invalid', 'The request has no body.');
        const { user_id } = c.var.principal;
        const announced = Number(c.req.header('content-length') ?? 0);
        refuseTotal(announced, most.totalBytes);
        // Sent again, it takes nothing more: its own files are not in its way.
        const again = await isUsed(deps.store.db, user_id, key);
        const waits = again ? 0 : await waitingBytes(deps.store.db, user_id);
        refuseBeyond(waits + announced, most.waitingBytes);
        const bounded = total(paced(chunksOf(body), most.bytesPerSecond), most.totalBytes);
        const received = await receive(deps, receiving.counted(user_id, bounded, waits, most.waitingBytes), boundary);
        let kept = false;
        try {
          if (received.files.length === 0)
            throw new HttpError('invalid', 'There is no file in the field "files".', { status: 422 });
          const context = contextOf(received);
          const request = keyed(c, requestHash(c, manifest(received)));
          const { answer, replayed, needless } = await deps.store.write(async (tx) => {
            const before = await keptAnswer(tx, request);
            if (before)
              return {
                answer: before,
                replayed: true,
                needless: received.files,
              };
            const bytes = received.files.reduce((sum, file) => sum + file.size, 0);
            refuseBeyond((await waitingBytes(tx, user_id)) + bytes, most.waitingBytes);
            const taken = await takeUpload(tx, deps, request.principal.user_id, received.files, context);
            const made: Answer = { status: 201, body: taken.answer };
            await keepAnswer(tx, request, made, deps.clock.now());
            return {
              answer: made,
              replayed: false,
              needless: taken.needless,
            };
          });
          kept = true;
          await tidy(deps, 'files that nobody needs', () => forget(deps, needless));
          deps.events.emit({ type: 'IngestionChanged' });
          return send(c, answer, replayed);
        } finally {
          // The answer says what failed, not that its files could not be removed.
          if (!kept) await tidy(deps, 'files of a refused upload', () => forget(deps, received.files));
        }
      },
    }),
  ];
}

/** Throws HttpError 413 for more bytes than one upload may have. */
function refuseTotal(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new HttpError(
    'too_large',
    `One upload may have ${Math.floor(most / 1_048_576)} MB in all; send its files as several ones.`,
  );
}

async function* total(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    refuseTotal(bytes, most);
    yield chunk;
  }
}

function contextOf({ fields }: Received): UploadContext {
  // A form that leaves a field empty means that it has nothing to say.
  const said = Object.fromEntries([...fields].filter(([, text]) => text.trim() !== ''));
  const { context_type, context_id } = parse(ContextSchema, said, 'form');
  return {
    type: context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS',
    id: context_id ?? null,
  };
}

/** What makes two uploads the same. */
function manifest({ files, fields }: Received): string {
  return JSON.stringify([files.map(({ name, sha256 }) => [name, sha256]), [...fields].sort()]);
}
