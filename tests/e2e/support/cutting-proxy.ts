import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const UPLOAD = /^PATCH \/v1\/uploads/m;

/**
 * A wire between browser and server that can break: once armed, it lets so many bytes of an upload through, then
 * calls `onCut` and drops every connection. Bytes are counted, not time, so it breaks at the same place each run.
 */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cutAfter: number | null = null;
  #onCut: () => Promise<void> = async () => undefined;

  constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      let passed = 0;
      let uploading = false;
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
        // A broken wire is what this is for; the other end goes with it.
        socket.on('error', () => socket.destroy());
      }
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      upstream.pipe(client);
      client.on('data', (chunk: Buffer) => {
        uploading ||= UPLOAD.test(chunk.toString('latin1'));
        if (uploading) passed += chunk.length;
        if (!uploading || this.#cutAfter === null || passed < this.#cutAfter) {
          upstream.write(chunk);
          return;
        }
        this.#cutAfter = null;
        void this.#cut();
      });
    });
  }

  /** Answers the origin that the browser is to be sent to. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Resolves when the wire broke and `onCut` was done. */
  cutUploadAfter(bytes: number, onCut: () => Promise<void>): Promise<void> {
    this.#cutAfter = bytes;
    return new Promise((resolve, reject) => {
      this.#onCut = () => onCut().then(resolve, reject);
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #cut(): Promise<void> {
    await this.#onCut();
    for (const socket of this.#sockets) socket.destroy();
  }
}
