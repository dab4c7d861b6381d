import { failed } from '#core/errors.ts';

/**
 * The NUL character ends texts in half of all programs, and PostgreSQL keeps none: no store takes it.
 * @param parameters of a statement
 * @throws AccessionError `invalid`
 */
export function refuseNul(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string' && value.includes('\0'))
      throw failed('invalid', 'A text has the NUL character (U+0000) in it, which is not kept.');
  }
}
