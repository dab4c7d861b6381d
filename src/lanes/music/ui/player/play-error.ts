/** What a MediaError is about, by its own words. */

/**
 * Null where it is about the sound itself. Firefox decodes nothing where the computer has no sound output, and gives the
 * code of a damaged file for it (`NS_ERROR_DOM_MEDIA_CUBEB_INITIALIZATION_ERR`).
 */
export function soundOutputError(said: string): string | null {
  return /CUBEB/.test(said) ? 'This computer has no sound output that the browser can use.' : null;
}
