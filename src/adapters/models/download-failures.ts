import { AccessionError, failure } from '#core/errors.ts';

/** What the place of a model answered, in words. */
export function refusedBy(url: string, status: number): AccessionError {
  const place = new URL(url).host;
  if (status === 404 || status === 410) {
    return new AccessionError(
      failure('model_missing', `${place} has no such file (${shown(url)}).`, {
        remedy: 'Check the address of the model.',
      }),
    );
  }
  if (status === 401 || status === 403) {
    return new AccessionError(
      failure('model_unauthorized', `${place} does not give this file to everybody (${status}).`, {
        remedy: 'Fetch the model with your own account and add its GGUF file from this device.',
      }),
    );
  }
  if (status === 429) return new AccessionError(failure('rate_limited', `${place} asks to wait (429).`));
  return new AccessionError(failure('model_unreachable', `${place} answered ${status}.`, { remedy: AGAIN }));
}

/** A browser does not say why nothing came. */
export function unreachable(url: string, error: unknown, signal: AbortSignal): AccessionError {
  if (signal.aborted) return paused();
  const place = new URL(url).host;
  const words = `${place} cannot be reached, or does not let this page read it.`;
  return new AccessionError(failure('model_unreachable', words, { remedy: AGAIN }), { cause: error });
}

export function brokeOff(part: string): AccessionError {
  return new AccessionError(failure('model_unreachable', `The download broke off (${part}).`, { remedy: AGAIN }));
}

export function damaged(part: string): AccessionError {
  return new AccessionError(failure('model_damaged', `What came is not what was published or came before (${part}).`));
}

export function paused(): AccessionError {
  return new AccessionError(failure('cancelled', 'The download was paused.', { remedy: AGAIN }));
}

/** An address without what may be a key: query and account. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const AGAIN = 'Press Download again: what has come stays.';
