/** `accession documents carry-out`: one plan in a process of its own. It goes on where the server ends meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import { CarriedOutSchema, type CarryOut } from '#lanes/documents/node/document-plans.ts';

const MAIN = fileURLToPath(new URL('../../../../cli/main.ts', import.meta.url));
/** Characters of what it says when it fails. */
const SAID = 300;

/** @param data the data directory, in which the journals of plans are */
export function carryOutProcess(data: string): CarryOut {
  return async (order) => {
    const child = spawn(process.execPath, [MAIN, 'documents', 'carry-out', '--data', data], {
      env: { ...process.env, ACCESSION_DATA: data },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [out, said] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-SAID)));
    // It may end before it took the order: its exit says so.
    child.stdin.on('error', () => undefined).end(JSON.stringify(order));
    const [code] = (await once(child, 'close').catch((error: unknown) => {
      throw new AccessionError(toFailure(error), { cause: error });
    })) as [number | null];
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), CarriedOutSchema), out);
    if (!answer.success)
      throw failed(
        'server_error',
        `The plan was not carried out to its end (${said.trim() || `exit code ${code ?? 'none'}`}).`,
      );
    if (!answer.output.ok) throw new AccessionError(answer.output.failure);
    return answer.output.value as never;
  };
}
