/**
 * The root of a run that is kept on a server. What is appended is a part of its own. A text of more than a piece (1.5 million
 * characters) comes piece by piece: until the last is there the file is its beginning.
 */
import { checkSize } from '../core/files/contents.ts';
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';
import { piecesOf } from '../core/shared/run-protocol.ts';
import type { HeldRun } from './held-run.ts';

export class LeasedFiles implements PlaybookFiles {
  readonly #held: HeldRun;
  readonly #sha256: (text: string) => Promise<string>;
  /** How many parts a file has that was written here. */
  readonly #parts = new Map<string, number>();
  /** Asked for once: nobody else writes there. */
  #paths: Promise<Set<string>> | null = null;

  constructor(held: HeldRun, sha256: (text: string) => Promise<string>) {
    this.#held = held;
    this.#sha256 = sha256;
  }

  async list(base: string): Promise<string[]> {
    const below = base === '' ? '' : `${base}/`;
    const isDot = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));
    return [...(await this.#there())].filter((path) => path.startsWith(below) && !isDot(path));
  }

  async isThere(path: string): Promise<boolean> {
    return [...(await this.#there())].some((one) => one === path || one.startsWith(`${path}/`));
  }

  async read(path: string): Promise<FileText | null> {
    const { text } = await this.#held.asked((client, lease) => client.file(lease, path));
    if (text === null) return null;
    checkSize(path, text);
    return { text, sha256: await this.#sha256(text) };
  }

  async write(path: string, text: string): Promise<void> {
    await this.#put(path, 0, text);
  }

  async append(path: string, text: string): Promise<void> {
    const part = this.#parts.get(path);
    if (part !== undefined) return this.#put(path, part, text);
    return this.write(path, ((await this.read(path))?.text ?? '') + text);
  }

  /** Each write was durable when it resolved. */
  sync(): Promise<void> {
    return Promise.resolve();
  }

  async #put(path: string, part: number, text: string): Promise<void> {
    const pieces = piecesOf(text);
    for (const [at, texts] of pieces.entries())
      this.#held.hear(
        await this.#held.asked((client, lease) => client.putFile(lease, { path, part: part + at, texts })),
      );
    this.#parts.set(path, part + pieces.length);
    (await this.#there()).add(path);
  }

  #there(): Promise<Set<string>> {
    this.#paths ??= this.#held
      .asked((client, lease) => client.files(lease))
      .then(({ items }) => new Set(items.map(({ path }) => path)));
    return this.#paths;
  }
}
