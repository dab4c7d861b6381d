import type { Ids } from '#core/ports.ts';
import { HttpError } from '#server/http/http-error.ts';
import { orderKey } from '#server/search/terms.ts';
import { findRow, type Write } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { artistRow } from '../store/rows.ts';
import type { ArtistTable } from '../store/schema.ts';

/** Who an album or track is by, as the editor says it. */
export interface Credit {
  artist_id?: string | undefined;
  artist?: string | undefined;
}

/**
 * Finds artists by id, or by name as a person would mean it, and makes those that are missing; a name that
 * occurs twice in one request is made once.
 */
export class ArtistFinder {
  readonly created: Write<ArtistTable>[] = [];
  readonly #tx: Tx;
  readonly #ids: Ids;

  constructor(tx: Tx, ids: Ids) {
    this.#tx = tx;
    this.#ids = ids;
  }

  /**
   * Id and name as credited. Throws HttpError 422 for an id that does not exist.
   * @param usual who it is when the credit names nobody
   */
  async find(
    credit: Credit,
    usual: { artist_id: string; artist: string } | null,
  ): Promise<{ artist_id: string; artist: string }> {
    if (credit.artist_id !== undefined) {
      const row = await findRow(this.#tx, 'artists', credit.artist_id);
      if (!row)
        throw new HttpError('invalid', `"artist_id": there is no artist "${credit.artist_id}".`, { status: 422 });
      return { artist_id: credit.artist_id, artist: credit.artist ?? row.name };
    }
    if (credit.artist !== undefined) return { artist_id: await this.#byName(credit.artist), artist: credit.artist };
    if (usual) return { artist_id: usual.artist_id, artist: usual.artist };
    throw new HttpError('invalid', 'Name an "artist" or give an "artist_id".');
  }

  async #byName(name: string): Promise<string> {
    const key = orderKey(name);
    const here = this.created.find(({ row }) => row.name_key === key);
    if (here) return here.row.id;
    const rows = await this.#tx
      .selectFrom('artists')
      .select(['id', 'name'])
      .where('name_key', '=', key)
      .orderBy('id')
      .execute();
    const found = rows.find((row) => row.name === name) ?? rows[0];
    if (found) return found.id;
    const row = artistRow({ id: `ar_${this.#ids.next()}`, name });
    this.created.push({ row, before: null });
    return row.id;
  }
}
