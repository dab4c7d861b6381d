import { SignRequestSchema, SignResponseSchema } from '#core/sync/protocol.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { readBody } from '../http/body.ts';

/** POST /v1/sign: a URL that reads one path without a header, for a while. */
export function signRoutes({ signer, clock }: Pick<CatalogDeps, 'signer' | 'clock'>): Route[] {
  return [
    route(
      {
        method: 'POST',
        path: '/v1/sign',
        scope: 'ReadCatalog',
        tag: 'Service',
        summary: 'A relative URL that reads one path without a header, for a while.',
        description:
          'Six hours for audio, two minutes for anything else. It reads what the token that signs it may read, and never with the scope Admin.',
        body: SignRequestSchema,
        replies: { 200: json(SignResponseSchema, 'The URL and when it ends.') },
        idempotent: true,
      },
      async (c) => {
        const { value } = await readBody(c, SignRequestSchema);
        return c.json(signer.sign(value.path, c.get('principal'), clock.now()));
      },
    ),
  ];
}
