/** Prints the path of a Chromium that starts, or fails with what to do (adapters/node/find-chromium.ts). */
import { findChromium } from '#adapters/node/find-chromium.ts';
import { toFailure } from '#core/errors.ts';

try {
  process.stdout.write(await findChromium());
} catch (error) {
  const { code, message, remedy } = toFailure(error);
  process.stdout.write(`${message}\n${remedy}`);
  // What the person has set wrong is not mended by a download.
  process.exitCode = code === 'not_found' ? 3 : 1;
}
