/** `documents send`, and the end of `documents scan --server`: what waits goes to the catalog server. */
import type { HttpOptions } from '#adapters/http/request.ts';
import type { Clock } from '#core/ports.ts';
import { createSharedClient } from '#lanes/documents/http/shared-client.ts';
import { sendOutbox, waitingIn } from '#lanes/documents/node/scan/outbox-folder.ts';

const records = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

/** @returns exit code: 1 where something waits that the server refused, or it could not be asked. */
export async function sendCommand(
  outbox: string,
  http: HttpOptions,
  { clock, say }: { clock: Clock; say: (line: string) => void },
): Promise<number> {
  const answer = await sendOutbox(outbox, createSharedClient(http), clock);
  const left = await waitingIn(outbox);
  if (answer.ok) say(`sent ${records(answer.value.sent)} to the catalog server`);
  for (const { record, id, refused } of left) if (refused !== null) say(`refused: ${record?.title ?? id}: ${refused}`);
  if (!answer.ok)
    say(
      `${records(left.length)} wait${left.length === 1 ? 's' : ''}: ${answer.failure.message} \`documents send\` tries again`,
    );
  return left.length === 0 ? 0 : 1;
}
