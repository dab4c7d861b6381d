import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';

/** The DOI or ISBN that a person typed or pasted, in an address or with its label; null where there is none. */
export function identifierIn(text: string, kind: 'doi' | 'isbn'): string | null {
  const whole = kind === 'isbn' ? `ISBN ${text}` : text;
  return findIdentifiers(whole).find((one) => one.kind === kind)?.value ?? null;
}
