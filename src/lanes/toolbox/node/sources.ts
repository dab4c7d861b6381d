/** How the server asks sources for tools in browsers, and which of them its operator has declared. */
import { readFile } from 'node:fs/promises';
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import { failed } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { connectorOf, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { Connector, Net } from '#core/toolbox/connectors/net.ts';

export const openNet = (
  clock: Clock,
  allow: readonly string[] | null,
  wire?: Parameters<typeof publicNet>[0]['wire'],
): Net =>
  publicNet({
    ...{
      clock,
      allow: allow ?? [],
      secret: (name) => Promise.resolve(process.env[`ACCESSION_SECRET_${name}`] || null),
    },
    ...(wire === undefined ? {} : { wire }),
  });

export interface DeclaredSource {
  connector: Connector;
  /** The declaration, without its secret. */
  text: string;
}

/** Throws AccessionError `not_found`, `invalid`. */
export async function declaredSources(paths: readonly string[]): Promise<DeclaredSource[]> {
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        throw failed('not_found', `[toolbox] connectors: there is no file "${path}".`, { cause });
      });
      const { secret, ...rest } = readDeclared(text, path);
      // What needs a secret is asked by who holds it.
      const open = { ...rest, direct: rest.direct && secret === undefined };
      return {
        connector: connectorOf({ ...open, ...(secret === undefined ? {} : { secret }) }),
        text: JSON.stringify(open),
      };
    }),
  );
}
