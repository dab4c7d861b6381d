/**
 * The audio that a track has and had. What is replaced or unpublished is kept, with who did it; a restore publishes
 * it again, read and hashed anew.
 */
import type * as v from 'valibot';
import type { TrackVersionsSchema } from '#lanes/music/core/catalog.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { tidy } from '#server/log.ts';
import type { Reader } from '#server/store/schema.ts';
import type { FormerMediaTable } from '../store/rows.ts';
import { changeAudio, publishAt, retire, retireFormer, trackOf } from './place.ts';
import { verifyUpload } from './verify-upload.ts';

type VersionDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'log'>;
type Versions = v.InferOutput<typeof TrackVersionsSchema>;

/** The present audio first, then what was there before, newest first. Throws HttpError 404. */
export async function listVersions(db: Reader, id: string): Promise<Versions> {
  const track = await trackOf(db, id);
  const query = db.selectFrom('former_media').selectAll().where('track_id', '=', id);
  const former = await query.orderBy('replaced_at', 'desc').execute();
  const names = await namesOf(db);
  const published = await db
    .selectFrom('audit')
    .select(['at', 'user_id'])
    .where('kind', '=', 'track')
    .where('entity_id', '=', id)
    .where('action', 'in', ['track.published', 'track.replaced', 'track.restored'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const present =
    track.audio_sha256 === null
      ? null
      : {
          sha256: track.audio_sha256,
          size: numberOf(track.audio_size),
          duration_ms: track.audio_duration_ms,
          published_at: published ? Number(published.at) : null,
          published_by: published?.user_id ?? null,
          published_by_name: names.get(published?.user_id ?? '') ?? null,
        };
  // The same audio may have gone more than once; the last time counts.
  const once = former.filter((row, at) => former.findIndex((other) => other.sha256 === row.sha256) === at);
  const before = once.filter((row) => row.sha256 !== track.audio_sha256);
  return {
    track_id: id,
    present,
    former: before.map((row) => ({
      sha256: row.sha256,
      size: numberOf(row.audio_size),
      duration_ms: row.audio_duration_ms,
      ended_at: Number(row.replaced_at),
      ended_by: row.replaced_by,
      ended_by_name: names.get(row.replaced_by ?? '') ?? null,
      reason: row.reason ?? 'replaced',
    })),
  };
}

/** Takes the audio of a track out of the catalog; the file is kept. Nothing happens where it has none. */
export async function unpublish(deps: VersionDeps, by: Principal, id: string): Promise<Versions> {
  const before = await deps.store.locks.run(`track ${id}`, () =>
    deps.store.write(async (tx) => {
      const track = await trackOf(tx, id);
      if (track.audio_sha256 === null) return track;
      const at = deps.clock.now();
      await changeAudio(tx, track, null, { at, by: by.user_id });
      const details = { title: track.title, sha256: track.audio_sha256 };
      await writeAudit(tx, { at, user_id: by.user_id, action: 'track.unpublished', entity_id: id, details });
      return track;
    }),
  );
  await retireFormer(deps, before, null);
  return listVersions(deps.store.db, id);
}

/** Makes former audio the present one again; what is there now is kept in its place. Throws HttpError 404, 422. */
export async function restore(deps: VersionDeps, by: Principal, id: string, sha256: string): Promise<Versions> {
  await deps.store.locks.run(`track ${id}`, () =>
    deps.store.locks.run(`upload ${sha256}`, async () => {
      const { store, blobs } = deps;
      const before = await trackOf(store.db, id);
      if (before.audio_sha256 === sha256) return;
      const former = await formerOf(store.db, id, sha256);
      const size = numberOf(former.audio_size);
      if (Number(former.moved) === 0) await retire(deps, former.path, sha256);
      if (!(await blobs.adoptFormer(former.former_path, sha256)))
        throw new HttpError('not_found', `The former audio of "${before.title}" is not kept any more.`);
      const info = await verifyUpload(blobs, {
        sha256,
        size: size ?? (await blobs.upload(sha256))?.size ?? 0,
        duration_ms: former.audio_duration_ms,
        name: before.title,
      });
      await publishAt(deps, before, sha256, async (tx, path) => {
        const at = deps.clock.now();
        const track = await trackOf(tx, id);
        if (track.audio_sha256 !== before.audio_sha256)
          throw new HttpError('conflict', `"${track.title}" got other audio in the meantime.`);
        const { original_sha256 } = former;
        await changeAudio(tx, track, { path, sha256, original_sha256, info }, { at, by: by.user_id });
        const details = { title: track.title, sha256, instead_of: track.audio_sha256 };
        await writeAudit(tx, { at, user_id: by.user_id, action: 'track.restored', entity_id: id, details });
      });
      await tidy(deps, 'the copy of former audio', () => blobs.removeUpload(sha256));
      await retireFormer(deps, before, sha256);
    }),
  );
  return listVersions(deps.store.db, id);
}

async function formerOf(db: Reader, id: string, sha256: string): Promise<FormerMediaTable> {
  const query = db.selectFrom('former_media').selectAll().where('track_id', '=', id).where('sha256', '=', sha256);
  const row = await query.orderBy('replaced_at', 'desc').limit(1).executeTakeFirst();
  if (!row) throw new HttpError('not_found', 'This track never had that audio, or it is not kept any more.');
  return row;
}

async function namesOf(db: Reader): Promise<Map<string, string>> {
  const rows = await db.selectFrom('users').select(['id', 'name']).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

function numberOf(value: number | null): number | null {
  return value === null ? null : Number(value);
}
