/** Pictures that a person chose as the cover of files that are not published yet. */
import { pictureType } from '#adapters/media/picture-type.ts';
import { failed } from '#core/errors.ts';
import type { ChosenCover } from '#core/job/job.ts';
import type { BlobStore } from '#core/ports.ts';

/** One of the blob store, or one that comes from elsewhere. */
export type WantedCover = ChosenCover | (Pick<ChosenCover, 'from' | 'name'> & { picture: Blob });

export interface PictureBlobs {
  blobs: Pick<BlobStore, 'put'>;
}

/** A larger one is a burden for every player, in every file. Bytes. */
const MOST = 16 * 1024 ** 2;

/** Keeps the picture in the blob store. Throws AccessionError `invalid` for what is no picture, `storage_full`. */
export async function keepPicture(blobs: PictureBlobs['blobs'], wanted: WantedCover): Promise<ChosenCover> {
  if (!('picture' in wanted)) return wanted;
  const { picture, from, name } = wanted;
  const refused = (why: string) => failed('invalid', `"${name}" ${why}.`, { remedy: 'Choose another picture.' });
  if (picture.size > MOST) throw refused('is larger than the 16 MB that a cover may have');
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const mime = pictureType(bytes);
  if (mime === null) throw refused('is not a JPEG, PNG, GIF or WebP picture');
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const { sha256 } = await blobs.put(once());
  return { sha256, mime, from, name };
}
