/** JSON answers that are too long to be made at once: written as they are sent, so that others have their turn between. */
import { encoded, streamOf } from './stream.ts';

/**
 * 200 with these texts one after the other; together they are one JSON value. What fails before the first of it is sent is
 * thrown, what fails later cuts the answer off.
 */
export async function jsonOf(texts: AsyncIterable<string>): Promise<Response> {
  const chunks = encoded(texts);
  const first = await chunks.next();
  return new Response(streamOf(after(first, chunks)), { headers: { 'Content-Type': 'application/json' } });
}

async function* after(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** A value as JSON with a member more, a text that comes in parts. */
export async function* withLongText(value: object, name: string, parts: AsyncIterable<string>): AsyncGenerator<string> {
  yield* beforeMember(value, name);
  yield '"';
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield '"}';
}

type Texts = AsyncIterable<string> | Iterable<string>;

/** A value as JSON with a member more, a list whose items come as JSON. */
export async function* withLongList(value: object, name: string, items: Texts): AsyncGenerator<string> {
  yield* beforeMember(value, name);
  let sign = '[';
  for await (const item of items) {
    yield sign + item;
    sign = ',';
  }
  yield sign === '[' ? '[]}' : ']}';
}

/** The same where each item comes in parts, too. */
export async function* withLongLists(value: object, name: string, items: AsyncIterable<Texts>): AsyncGenerator<string> {
  yield* beforeMember(value, name);
  let sign = '[';
  for await (const parts of items) {
    yield sign;
    yield* parts;
    sign = ',';
  }
  yield sign === '[' ? '[]}' : ']}';
}

function* beforeMember(value: object, name: string): Generator<string> {
  const text = JSON.stringify(value);
  yield `${text.slice(0, -1)}${text === '{}' ? '' : ','}${JSON.stringify(name)}:`;
}

/** Items as JSON, made one by one as they are sent. */
export function asJson(items: readonly object[]): Iterable<string> {
  return items.values().map((item) => JSON.stringify(item));
}
