import { createCatalogClient, type CatalogClient } from '../http/catalog-client.ts';
import type { HttpOptions } from '../http/request.ts';
import type { AccessionDb } from './db.ts';
import { readSettings } from './settings.ts';
import { createTokenStore } from './token.ts';

/** The catalog server that is set (else the origin of this page), with the token that was given for it. */
export async function catalogServer(db: AccessionDb): Promise<{ http: HttpOptions; client: CatalogClient }> {
  const baseUrl = (await readSettings(db)).server_url || self.location.origin;
  const http = { baseUrl, token: createTokenStore(db, new URL(baseUrl).origin).get };
  return { http, client: createCatalogClient(http) };
}
