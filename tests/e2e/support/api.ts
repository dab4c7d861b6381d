import { randomUUID } from 'node:crypto';
import type { AlbumWithTracks, CatalogFile, DownloadRequest } from '#lanes/music/core/catalog.ts';
import type { TestFile } from './app.ts';

/** The catalog's HTTP API as an outsider sees it: what the tests check and prepare goes through here. */
export class Api {
  readonly #origin: string;
  readonly #token: string;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** The answer's JSON. Throws with status and body when it is not a 2xx. */
  async get<T>(path: string): Promise<T> {
    const response = await this.#send('GET', path);
    return (await response.json()) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const response = await this.#send('POST', path, body);
    return (await response.json()) as T;
  }

  async put(path: string, bytes: Uint8Array<ArrayBuffer>, type: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': type };
    const response = await fetch(this.#origin + path, { method: 'PUT', headers, body: bytes });
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  }

  async bytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#send('GET', path);
    return new Uint8Array(await response.arrayBuffer());
  }

  async importCatalog(catalog: CatalogFile): Promise<void> {
    await this.post('/v1/catalog/import', catalog);
  }

  album(id: string): Promise<AlbumWithTracks> {
    return this.get<AlbumWithTracks>(`/v1/catalog/albums/${id}`);
  }

  /** Ids of the album's tracks that are available, in playing order. */
  async available(albumId: string): Promise<string[]> {
    const { tracks } = await this.album(albumId);
    return tracks.filter((track) => track.availability === 'available').map((track) => track.id);
  }

  /** Somebody asks for an album; answers the request's id. */
  async requestAlbum(albumId: string): Promise<string> {
    const { id } = await this.post<{ id: string }>('/v1/download-requests', { album_id: albumId });
    return id;
  }

  async requestStatus(id: string): Promise<DownloadRequest['status'] | undefined> {
    const { items } = await this.get<{ items: DownloadRequest[] }>('/v1/download-requests');
    return items.find((request) => request.id === id)?.status;
  }

  /** What a script sends: files in one form. */
  async upload(files: TestFile[]): Promise<void> {
    const form = new FormData();
    for (const { name, bytes } of files) form.append('files', new Blob([bytes]), name);
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(`${this.#origin}/v1/ingestion/upload`, { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(`the upload was refused: ${response.status} ${await response.text()}`);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
