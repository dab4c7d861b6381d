/**
 * Turns something that writes into something that is read: `produce` writes to the stream it is given, one
 * chunk ahead of the reader at most, and what it throws reaches the reader.
 */
export async function* pullFrom(
  produce: (writable: WritableStream<Uint8Array>) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  let chunk: Uint8Array | null = null;
  let ended = false;
  let problem: { error: unknown } | null = null;
  let wakeReader: () => void = () => undefined;
  let wakeWriter: () => void = () => undefined;
  let stopped = false;

  const writable = new WritableStream<Uint8Array>(
    {
      async write(next) {
        if (stopped) throw new Error('the reader went away');
        chunk = next;
        const taken = new Promise<void>((resolve) => (wakeWriter = resolve));
        wakeReader();
        await taken;
      },
    },
    { highWaterMark: 1 },
  );
  const done = produce(writable).then(
    () => undefined,
    (error: unknown) => {
      problem = { error };
    },
  );
  const finish = done.then(() => {
    ended = true;
    wakeReader();
  });

  try {
    for (;;) {
      const waiting = new Promise<void>((resolve) => (wakeReader = resolve));
      if (chunk === null && !ended) await waiting;
      const next = takeChunk();
      if (next !== null) yield next;
      else if (ended) break;
      wakeWriter();
    }
  } finally {
    stopped = true;
    wakeWriter();
  }
  await finish;
  rethrow();

  function takeChunk(): Uint8Array | null {
    const taken = chunk;
    chunk = null;
    return taken;
  }
  function rethrow(): void {
    if (problem !== null) throw problem.error;
  }
}
