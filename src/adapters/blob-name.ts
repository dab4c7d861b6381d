/** A name for a blob that is not hashed: as long as a SHA-256, and nobody else's. */
export function ownName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
