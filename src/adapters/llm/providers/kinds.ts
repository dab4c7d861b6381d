/** What providers of one kind have in common: those of this browser, and those behind an address. */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { LocalEngine, ProviderId } from '#core/agent/llm/providers.ts';
import { ok, type Result } from '#core/result.ts';
import { parseUrl } from '../address.ts';
import type {
  BrowserProvider,
  ModelProvider,
  ModelServer,
  ModelSettings,
  OpenedInNode,
  OpenOptions,
  ServerOptions,
  ServerProvider,
} from './provider.ts';

/** Its models run in this browser (models/engines.ts). */
export function inBrowser(
  own: { id: LocalEngine } & Pick<ModelProvider, 'label' | 'about' | 'takesContextLength' | 'openInNode'>,
): BrowserProvider {
  return {
    place: 'browser',
    whatLeaves: () => 'Nothing of yours leaves this computer; the model itself is downloaded once.',
    async open({ llm_model: id, llm_context_length: contextLength }, { timers, openModel, titleOf }) {
      const { createLocalModel } = await import('../../models/local-model.ts');
      const title = (await titleOf?.(id)) ?? undefined;
      return ok(createLocalModel({ engine: own.id, id, title, contextLength, open: openModel, timers }));
    },
    ...own,
  };
}

/** It is a server with an address. `open`: where more is to be done than to load its code. */
export function behindAddress(
  own: {
    id: ProviderId;
    server: ModelServer;
    open?: (options: ServerOptions, forCheck: boolean) => Promise<LlmProvider>;
  } & Pick<ModelProvider, 'label' | 'about'>,
): ServerProvider {
  const { server, open: start = async (options: ServerOptions) => (await server.load())(options), ...rest } = own;
  const open = async (settings: ModelSettings, options: OpenOptions): Promise<Result<LlmProvider>> => {
    const { llm_base_url: baseUrl, llm_model: model, llm_context_length: contextLength } = settings;
    const origin = parseUrl(server.base(baseUrl) ?? '')?.origin;
    const key = origin === undefined ? undefined : () => options.key(origin);
    return ok(await start({ baseUrl, model, contextLength, clock: options.clock, key }, options.forCheck === true));
  };
  return {
    ...rest,
    place: 'server',
    server,
    takesContextLength: true,
    whatLeaves(to, near) {
      if (near === 'loopback') return leaves(`${to}, which is this computer`);
      return leaves(near === 'local' ? `${to}, in your network` : `${to}, whose operator can read them`);
    },
    open,
    openInNode: (settings, options) => inNode(open(settings, options)),
  };
}

/** @param whither from the origin on, up to the full stop */
export function leaves(whither: string): string {
  return `File names, tags, track lengths and the catalog entries in question go to ${whither}. Audio is not sent.`;
}

export async function inNode(opening: Promise<Result<LlmProvider>>): Promise<Result<OpenedInNode>> {
  const opened = await opening;
  return opened.ok ? ok({ provider: opened.value, close: async () => opened.value.close?.() }) : opened;
}
