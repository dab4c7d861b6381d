/** `accession documents scan --json` for a folder of the server, in a process of its own. It touches nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MANIFEST_NAME } from '#core/documents/manifest-form.ts';
import { MORE_SOURCES } from '#lanes/documents/core/lookup/hosts.ts';
import type { DocumentsConfig } from '#server/config-file.ts';
import type { ScanProgram } from './scan-folders.ts';

const MAIN = fileURLToPath(new URL('../../../../cli/main.ts', import.meta.url));
/** Characters of what it says when it fails. */
const SAID = 300;

/** @param data the data directory, where answers of sources are kept for the relay, too */
export function scanProcess({ contact, sources }: DocumentsConfig, data: string): ScanProgram {
  const more = Object.keys(MORE_SOURCES).filter((id) => sources?.includes(id) === true);
  return async (path, line, stop) => {
    const args = ['documents', 'scan', '--json', '--dir', path, '--data', data, '--jobs', '1'];
    args.push('--manifest', join(path, MANIFEST_NAME));
    if (contact !== null) args.push('--contact', contact);
    for (const id of more) args.push('--also', id);
    // Whoever asks nobody in accession.toml asks nobody here.
    if (sources?.length === 0) args.push('--offline');
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ACCESSION_DATA: data },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const end = (): boolean => child.kill('SIGTERM');
    stop.addEventListener('abort', end);
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString('utf8')}`.slice(-SAID)));
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', line);
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      if (code === 0) return null;
      return said.trim() || `The scan ended ${code === null ? `by ${signal ?? 'a signal'}` : `with code ${code}`}.`;
    } finally {
      stop.removeEventListener('abort', end);
    }
  };
}
