/** Pictures that a person chose as the cover of files that are not published yet. */
import { pictureType } from '#adapters/media/picture-type.ts';
import { failed } from '#core/errors.ts';
import type { ChosenCover } from '#core/job/job.ts';
import type { BlobStore } from '#core/ports.ts';
import { MOST_COVER } from '#lanes/music/core/catalog.ts';

/** One of the blob store, or one that comes from elsewhere. */
export type WantedCover = ChosenCover | (Pick<ChosenCover, 'from' | 'name'> & { picture: Blob });

export interface PictureBlobs {
  blobs: Pick<BlobStore, 'put'>;
}

/** Keeps the picture in the blob store. Throws AccessionError `invalid` for what is no picture, `storage_full`. */
export async function keepPicture(blobs: PictureBlobs['blobs'], wanted: WantedCover): Promise<ChosenCover> {
  if (!('picture' in wanted)) return wanted;
  const { picture, from, name } = wanted;
  const refused = (why: string) => failed('invalid', `"${name}" ${why}.`, { remedy: 'Choose another picture.' });
  // As the catalog's: it may become the album's.
  if (picture.size > MOST_COVER) throw refused(`is larger than the ${MOST_COVER / 1024 ** 2} MB that a cover may have`);
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const mime = pictureType(bytes);
  if (mime === null) throw refused('is not a JPEG, PNG, GIF or WebP picture');
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const { sha256 } = await blobs.put(once());
  return { sha256, mime, from, name };
}
