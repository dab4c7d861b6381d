import { expect, test } from 'vitest';
import { exportBundle, importBundle } from '#adapters/browser/sync/bundle.ts';
import { isBundleHead } from '#core/sync/bundle-head.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { sha256 } from '../../fixtures/vorbis-file.ts';
import { outboxItem } from './fixtures.ts';
import { syncWorld } from './sync-world.ts';

const AUDIO = new TextEncoder().encode('OggS and so on, as the converter made it');
async function* chunks(bytes: Uint8Array) {
  yield bytes;
}

async function exported() {
  const world = syncWorld();
  const blobs = new MemoryBlobStore();
  await blobs.put(chunks(AUDIO));
  const { body } = outboxItem('a');
  await world.enqueue('a');
  await world.db.outbox.clear();
  const real = { ...body, sha256: sha256(AUDIO), size: AUDIO.length };
  await world.put('key-a', real);
  await world.db.steps.add({
    ...{ id: 's1', job_id: 'j-a', step_number: 1, timestamp: 5, step_type: 'Decision', content: 'Matched' },
    ...{ metadata: {}, duration_ms: null },
  });
  return exportBundle(world.store, blobs, 'key-a');
}

function another() {
  const world = syncWorld();
  const blobs = new MemoryBlobStore();
  let n = 0;
  const context = { store: world.store, clock: world.time, ids: { next: () => `other-${(n += 1)}` } };
  return { ...world, blobs, context, take: (file: Blob) => importBundle(context, blobs, file) };
}

test('SYNC-31 a waiting result goes to another workstation as a file and is published there once, under the same key', async () => {
  const { name, blob } = await exported();
  expect(name).toBe('a.accession.zip');
  expect(isBundleHead(new Uint8Array(await blob.arrayBuffer()))).toBe(true);
  expect(isBundleHead(new TextEncoder().encode('PK and something else altogether, as long as that is'))).toBe(false);
  const there = another();
  expect(await there.take(blob)).toEqual({ original_filename: 'a.flac', known: false });
  expect(await there.take(blob)).toEqual({ original_filename: 'a.flac', known: true });
  expect(await there.blobs.size(sha256(AUDIO))).toBe(AUDIO.length);
  expect((await there.db.steps.orderBy('[job_id+step_number]').toArray()).map((step) => step.content)).toEqual([
    'Matched',
    'Taken over from another workstation by an exported file; waiting to publish',
  ]);
  const { runner } = await there.open();
  await there.live(runner, 2000);
  expect([...there.server.answers.keys()]).toEqual(['key-a']);
  expect(await there.db.jobs.get('j-a')).toMatchObject({ status: 'COMPLETED', phase: 'published' });
  await runner.stop();
});

test('SYNC-31 a bundle whose audio or decision was changed is refused, and nothing is kept', async () => {
  const { blob } = await exported();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const changed = (from: string, to: string): Blob => {
    const at = Buffer.from(bytes).indexOf(from);
    expect(at).toBeGreaterThan(0);
    const copy = bytes.slice();
    copy.set(new TextEncoder().encode(to), at);
    return new Blob([copy]);
  };
  const there = another();
  await expect(there.take(changed('as the converter', 'as the perverter'))).rejects.toThrow(
    'not the one that was approved',
  );
  await expect(there.take(changed('"t-a"', '"t-b"'))).rejects.toThrow('the decision was changed');
  await expect(there.take(blob.slice(0, 200))).rejects.toThrow('damaged');
  expect([await there.db.jobs.count(), await there.db.outbox.count()]).toEqual([0, 0]);
});
