/** The wire of WebDriver BiDi: commands and their answers over one WebSocket (https://w3c.github.io/webdriver-bidi/). */

type Answer =
  { type: 'success'; id: number; result: unknown } | { type: 'error'; id: number; error: string; message: string };
type Event = { type: 'event'; method: string; params: unknown };

export class BidiWire {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #commands = 0;
  /** Called with each event that was subscribed to. */
  onEvent: (method: string, params: unknown) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Answer | Event));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended the connection'));
      this.#waiting.clear();
    });
  }

  static async open(address: string): Promise<BidiWire> {
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true });
      socket.addEventListener('error', () => reject(new Error(`${address} cannot be reached`)), { once: true });
    });
    return new BidiWire(socket);
  }

  /** The result of a command. Throws with the browser's words where it is refused. */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = ++this.#commands;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params }));
    return (await answer) as Result;
  }

  #take(message: Answer | Event): void {
    if (message.type === 'event') return this.onEvent(message.method, message.params);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'success') waiting?.resolve(message.result);
    else waiting?.reject(new Error(`${message.error}: ${message.message}`));
  }
}
