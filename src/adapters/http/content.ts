/** What an answer says of its content, and its text by that. */

/** `text/html; charset=utf-8` in its parts. */
export function contentType(header: string | null | undefined): { type: string; charset: string } {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice(8).replaceAll('"', '') ?? 'utf-8'; // prettier-ignore
  return { type, charset };
}

/** The text of bytes; of a charset that is not known as UTF-8. */
export function textIn(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
