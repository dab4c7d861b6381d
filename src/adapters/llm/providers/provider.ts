/** What the product knows of a model provider before any of its code is loaded. */
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { LocalEngine, ProviderId, RECORDED } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { HttpOptions } from '../../http/request.ts';
import type { Timers } from '../../http/socket.ts';
import type { ModelSession } from '../../models/model-api.ts';
import type { Nearness } from '../address.ts';
import type { WireOptions } from '../call.ts';
import type { EmbedderOptions } from '../embed-wires.ts';

export type { Nearness };

interface Descriptor<Place extends string, Id extends string> {
  /** Where its models run; that decides what a person sets. */
  readonly place: Place;
  /** Stored in settings: it never changes. */
  readonly id: Id;
  /** Its name in the settings, and one line below it. */
  readonly label: string;
  readonly about: string;
  /** The context length of the settings is used. */
  readonly takesContextLength: boolean;
  /** One sentence. `to`: the origin that is asked, or words for it; `near`: null where that is not known. */
  whatLeaves(to: string, near: Nearness | null): string;
  /** In a browser; its code is loaded then. Absent where it runs in Node alone. */
  open?(settings: ModelSettings, options: BrowserOptions): Promise<Result<LlmProvider>>;
  /** In Node. Absent where it runs in a browser alone. `settings.llm_model` may be the path of a file. */
  openInNode?(settings: ModelSettings, options: OpenOptions): Promise<Result<OpenedInNode>>;
}

/** No model: everything unclear goes to the person. */
export type NoProvider = Descriptor<'none', ProviderId>;
/** In this browser: models are downloaded. */
export type BrowserProvider = Descriptor<'browser', LocalEngine>;
/** Behind an address, perhaps with a key. */
export type ServerProvider = Descriptor<'server', ProviderId> & { readonly server: ModelServer };
/** Behind the catalog server, whose operator set it. */
export type CatalogProvider = Descriptor<'catalog', ProviderId>;
/** No model either: answers are replayed. */
export type RecordingProvider = Descriptor<'recording', typeof RECORDED>;
export type ModelProvider = NoProvider | BrowserProvider | ServerProvider | CatalogProvider | RecordingProvider;

/** A server of models: what a person, or accession.toml, may say of it. */
export interface ModelServer {
  /** What an empty address means. */
  readonly usualAddress: string;
  /** Taken where accession.toml names none; null: one has to be named there. */
  readonly usualModel: string | null;
  readonly exampleModel: string;
  /** A key may be set. */
  readonly takesKey: boolean;
  /** The address that is asked, from the one that was typed; null where that is none. */
  base(typed: string): string | null;
  /** Loads its code. What is made asks nothing of the server by itself. */
  load(): Promise<(options: ServerOptions) => LlmProvider>;
  /** The same for vectors of texts. */
  loadEmbedder(): Promise<(options: EmbedderOptions) => Embedder>;
}

export interface ServerOptions extends Pick<WireOptions, 'baseUrl' | 'model' | 'clock' | 'key'> {
  /** Tokens of prompt and answer. */
  contextLength: number;
  /** Whether a check may ask a question, and spend its tokens, to find a model that no list names; true unless said. */
  asksToFind?: boolean;
}

/** What of the settings a provider is opened with. */
export type ModelSettings = Pick<Settings, 'llm_base_url' | 'llm_model' | 'llm_context_length'>;

/** What a provider is opened with, wherever that is. */
export interface OpenOptions {
  clock: Clock;
  /** The catalog server, for the model that it lends; null where there is none. */
  server: HttpOptions | null;
  /** The key of the model server at that origin: the stored one, or the one that was just typed. Asked before each call. */
  key(origin: string): Promise<string | null>;
  /** It is opened for its check, which asks the server itself: a model need not be chosen yet. */
  forCheck?: boolean;
}

export interface BrowserOptions extends OpenOptions {
  timers: Timers;
  /** Opens the worker of models that run in this browser. */
  openModel(): ModelSession;
  /** The name of a model of this browser; null where it is not known. */
  titleOf?(id: string): Promise<string | null>;
}

/** A provider that was opened in Node. `close` ends what was started for it. */
export interface OpenedInNode {
  provider: LlmProvider;
  close(): Promise<void>;
}
