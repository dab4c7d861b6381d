import { failed } from '#core/errors.ts';
import { readText } from './json-lines.ts';

/** The token, from the flag's file or ACCESSION_TOKEN. Throws AccessionError `unauthorized`. */
export async function readToken(
  flags: { tokenFile?: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const said = flags.tokenFile === undefined ? env['ACCESSION_TOKEN'] : await readText(flags.tokenFile);
  const token = said?.trim() ?? '';
  if (token !== '') return token;
  throw failed('unauthorized', 'There is no token for the server.', {
    remedy: 'Set ACCESSION_TOKEN, or name a file that holds it with --token-file.',
  });
}
