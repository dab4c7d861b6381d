/** Log lines: one JSON object a line. Nothing secret is ever passed in; query strings never are. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** @param write takes a whole line, without its end */
export function createLog(write: (line: string) => void): Log {
  const line =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
