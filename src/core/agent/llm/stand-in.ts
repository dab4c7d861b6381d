/** A provider in another's place. */
import type { LlmProvider } from './provider.ts';

/** `provider` with some parts of its own (`over`, getters too); everything else is asked of it each time. */
export function standIn(provider: LlmProvider, over: Partial<LlmProvider>): LlmProvider {
  const { prepare, close } = provider;
  const same: LlmProvider = {
    get name() {
      return provider.name;
    },
    get behind() {
      return provider.behind;
    },
    get model() {
      return provider.model;
    },
    get capabilities() {
      return provider.capabilities;
    },
    get proven() {
      return provider.proven;
    },
    complete: (...asked) => provider.complete(...asked),
    healthCheck: (...asked) => provider.healthCheck(...asked),
    ...(prepare ? { prepare: (signal) => prepare.call(provider, signal) } : {}),
    ...(close ? { close: () => close.call(provider) } : {}),
  };
  Object.defineProperties(same, Object.getOwnPropertyDescriptors(over));
  return same;
}
