/** A failure as it is stored and sent. */
import * as v from 'valibot';
import { FAILURES, type FailureCode } from '../../errors.ts';

export const FailureSchema = v.object({
  code: v.custom<FailureCode>((code) => typeof code === 'string' && Object.hasOwn(FAILURES, code)),
  message: v.string(),
  remedy: v.string(),
  retryable: v.boolean(),
  subject: v.exactOptional(v.string()),
  retryAfterMs: v.exactOptional(v.number()),
});
