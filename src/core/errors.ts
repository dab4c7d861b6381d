/**
 * Every failure of the product is one of these codes. A failure carries the reason and what to do
 * next as sentences for a person; nobody throws a string.
 */
export const FAILURES = {
  // Archives
  archive_truncated: { retryable: false, remedy: 'Download or copy the archive again, then drop it again.' },
  archive_corrupt: { retryable: false, remedy: 'Make the archive again from the original files.' },
  archive_entry_crc: { retryable: false, remedy: 'Get this file again from its source; the others were taken in.' },
  archive_encrypted: { retryable: false, remedy: 'Enter the password of the archive on the Ingest page.' },
  archive_unsafe_name: { retryable: false, remedy: 'Rename the entry inside the archive, or drop the file by itself.' },
  archive_limit: { retryable: false, remedy: 'Unpack the archive yourself and drop the files you want.' },
  archive_unsupported: { retryable: false, remedy: 'Unpack it first, then drop the files or a ZIP of them.' },
  archive_empty: { retryable: false, remedy: 'Check that you dropped the right archive.' },
  // Files
  file_empty: { retryable: false, remedy: 'The file has no content. Copy it again from its source.' },
  file_unsupported: {
    retryable: false,
    remedy: 'Drop an audio file (MP3, FLAC, M4A, Ogg, Opus, WAV, AIFF, WMA) or an archive (ZIP, 7z, RAR, TAR).',
  },
  file_mislabelled: { retryable: false, remedy: 'Check what the file really is, rename it, and drop it again.' },
  file_damaged: { retryable: false, remedy: 'Get an intact copy of the file and drop it again.' },
  file_unreadable: { retryable: true, remedy: 'Check that the file still exists and may be read, then drop it again.' },
  // Workstation
  storage_full: {
    retryable: true,
    remedy:
      'Press "Free now" in Settings, Storage (it frees originals of what is published), or free space on this device, then press Retry.',
  },
  storage_failed: { retryable: true, remedy: 'Reload the page and press Retry.' },
  blob_missing: { retryable: false, remedy: 'The stored copy is gone from this browser. Drop the file again.' },
  conversion_failed: {
    retryable: true,
    remedy: 'Press Retry. If it fails again, convert the file with another tool and drop that.',
  },
  verification_failed: { retryable: true, remedy: 'Press Retry. The original is kept.' },
  worker_died: { retryable: true, remedy: 'Press Retry. If it happens again, close other tabs to free memory.' },
  cancelled: { retryable: true, remedy: 'Press Retry to take it up again.' },
  rejected: { retryable: true, remedy: 'Press Retry to match it again.' },
  // Models
  model_unreachable: {
    retryable: true,
    remedy: 'Start the model server and check its address in Settings, Model, then press Test.',
  },
  model_cors: {
    retryable: true,
    remedy: 'Let the model server accept this page: for Ollama set OLLAMA_ORIGINS to its address and start it again.',
  },
  model_permission: {
    retryable: true,
    remedy:
      'Allow this page to reach devices on your network: the browser asks beside the address, or in its site settings.',
  },
  model_unauthorized: { retryable: true, remedy: 'Enter the key of the model server in Settings, Model.' },
  model_missing: { retryable: true, remedy: 'Choose another model in Settings, Model, or download this one first.' },
  model_schema: {
    retryable: false,
    remedy: 'Choose a model or server that keeps to a schema, or set the strategy to the other one in Settings, Model.',
  },
  model_cut: { retryable: true, remedy: 'Ask again; if it stays, look at the log of the model server.' },
  model_empty: { retryable: true, remedy: 'Ask again, or choose another model.' },
  model_context_full: {
    retryable: false,
    remedy: 'Choose a larger context in Settings, Model, or a model that has one.',
  },
  model_timeout: { retryable: true, remedy: 'Raise the time limit in Settings, Model, or choose a smaller model.' },
  model_error: { retryable: true, remedy: 'Look at the log of the model server.' },
  model_budget: { retryable: true, remedy: 'Raise the limits in Settings, Model, or answer the question yourself.' },
  model_unrecorded: {
    retryable: false,
    remedy: 'The demonstration knows no answer to this. Choose a model in Settings.',
  },
  model_damaged: { retryable: true, remedy: 'Press Download again: only the damaged part is fetched anew.' },
  gpu_missing: {
    retryable: false,
    remedy: 'Use a model that runs on the processor, or a browser and device with WebGPU.',
  },
  gpu_lost: {
    retryable: true,
    remedy: 'Close other programs that use the graphics card, then press "Ask the model again" on the question.',
  },
  // Agent
  tool_refused: { retryable: false, remedy: 'Nothing to do: the agent goes on without this call.' },
  // Toolbox
  tool_input: { retryable: false, remedy: 'Correct the field that the message names, then call the tool again.' },
  tool_timeout: { retryable: false, remedy: 'Give the tool less to do, or raise its limit of time.' },
  tool_limit: { retryable: false, remedy: 'Give the tool less to do, or raise its limits of memory and size.' },
  cas_unsolved: { retryable: false, remedy: 'Ask for numbers between bounds, or put it in another form.' },
  spice_failed: { retryable: false, remedy: 'Look at what the simulator said, and mend the circuit.' },
  tool_unavailable: { retryable: false, remedy: 'Use another tool, or a place where this one is to be had.' },
  // Server and sync
  unauthorized: {
    retryable: true,
    remedy: 'Open the sign-in link that the server printed, or enter the token in Settings, Server.',
  },
  forbidden: { retryable: false, remedy: 'Ask an administrator for the EditCatalog permission.' },
  not_found: { retryable: false, remedy: 'It may have been removed. Search the catalog again.' },
  conflict: { retryable: false, remedy: 'Look at what is in the catalog now, then decide again.' },
  invalid: { retryable: false, remedy: 'Correct what the message names.' },
  too_large: { retryable: false, remedy: 'Use a smaller file, or raise the limit on the server.' },
  rate_limited: { retryable: true, remedy: 'Nothing to do: it is tried again by itself.' },
  server_error: { retryable: true, remedy: 'It is tried again by itself. If it stays, look at the server log.' },
  offline: { retryable: true, remedy: 'Nothing to do: it is sent when the server can be reached again.' },
  hash_mismatch: { retryable: true, remedy: 'It is uploaded again by itself.' },
  not_vorbis: { retryable: true, remedy: 'Press Retry to convert the original again.' },
  internal: { retryable: true, remedy: 'Reload the page. If it happens again, report it with the trace of the job.' },
} as const;

export type FailureCode = keyof typeof FAILURES;

/** A failure as data: stored in a job, sent in an answer, shown to a person. */
export interface Failure {
  code: FailureCode;
  /** One sentence that names the file (or thing) and the reason. */
  message: string;
  /** One sentence: what the person can do next. */
  remedy: string;
  retryable: boolean;
  /** The file, entry or field that it is about, as it was named on arrival. */
  subject?: string;
  /** Milliseconds to wait before trying again, when the other side said so (Retry-After). */
  retryAfterMs?: number;
}

/** What a failure says beyond its code and its sentence. */
type Extra = Partial<Pick<Failure, 'remedy' | 'subject' | 'retryAfterMs'>>;

export function failure(code: FailureCode, message: string, extra: Extra = {}): Failure {
  return { code, message, ...FAILURES[code], ...extra };
}

/** The exception form, for places where a Result would obscure the code. Never crosses a worker boundary. */
export class AccessionError extends Error {
  readonly failure: Failure;
  constructor(value: Failure, options?: { cause?: unknown }) {
    super(value.message, options);
    this.name = 'AccessionError';
    this.failure = value;
  }
}

/** The error of a failure that begins here. */
export function failed(code: FailureCode, message: string, extra: Extra & ErrorOptions = {}): AccessionError {
  const { cause, ...rest } = extra;
  return new AccessionError(failure(code, message, rest), { cause });
}

/** The failure inside any thrown value; what nobody foresaw becomes `internal` with its own words. */
export function toFailure(thrown: unknown, subject?: string): Failure {
  if (thrown instanceof AccessionError) return thrown.failure;
  const text = messageOf(thrown);
  const extra = subject === undefined ? {} : { subject };
  if (isQuotaExceeded(thrown)) {
    return failure(
      'storage_full',
      `There is no space left in this browser${subject ? ` for "${subject}"` : ''}.`,
      extra,
    );
  }
  if (PART_NOT_LOADED.test(text)) return partNotLoaded(subject);
  return failure('internal', subject ? `"${subject}": ${text}` : text, extra);
}

/** Whether a browser has no space left: its own error, one that wraps it (Dexie's `inner`), or one that quotes it. */
export function isQuotaExceeded(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name === 'QuotaExceededError' || thrown.message.includes('QuotaExceededError')) return true;
  return 'inner' in thrown && isQuotaExceeded(thrown.inner);
}

/** Code of the app that is not on this device, and cannot be had now. */
export function partNotLoaded(subject?: string): Failure {
  return failure('offline', `A part of the app${subject ? ` for "${subject}"` : ''} is not on this device yet.`, {
    remedy: 'Connect once, wait a minute for the app to load the rest of itself, then try again.',
    ...(subject === undefined ? {} : { subject }),
  });
}

/** An `import()` that could not be fetched, as Chromium, Firefox and WebKit say it. */
const PART_NOT_LOADED = /dynamically imported module|Importing a module script failed/;

/** True when a system call failed with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** What was thrown, in its own words. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
