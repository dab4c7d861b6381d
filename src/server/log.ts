/**
 * Log lines: one JSON object a line. Nothing secret is ever passed in; should something slip through after all, its
 * name or its form gives it away, and it is left out.
 */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

const SECRET_NAME = /^(authorization|cookie|password|secret|token|api_?key|signature)$/i;
const SECRET_FORM = /(\bBearer +|[?&#](?:token|signature|invite|key)=)[^\s&"']+/gi;

/** Where a program that sends no bearer has its key. */
const SECRET_PATH = /(\/guide\/)[\w-]{22}(?=\/|$)/g;

/** @param write takes a whole line, without its end */
export function createLog(write: (line: string) => void): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }, withoutSecrets));
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return '[left out]';
  return typeof value === 'string'
    ? value.replace(SECRET_FORM, '$1[left out]').replace(SECRET_PATH, '$1[left out]')
    : value;
}

/**
 * What only clears away after a change that was made: where the disk does not let it, the change
 * is made all the same, and the next start clears it (ingest/recover.ts).
 */
export async function tidy({ log }: { log: Log }, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn(`${what} could not be cleared away yet`, { error: String(error) });
  }
}
