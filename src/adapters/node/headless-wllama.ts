/**
 * A GGUF in a headless Chromium, for agent-eval: the same engine as in the app (models/wllama.ts) in a page without the
 * app. Vite serves the sources as they are, Playwright drives the browser; both are development dependencies.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { AccessionError, failed, failure, messageOf } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { Timers } from '../http/socket.ts';
import type { ModelChoice, ModelSession } from '../models/model-api.ts';
import { GGUF_ENGINE } from '../models/engines.ts';
import { createLocalModel } from '../models/local-model.ts';
import { findChromium } from './find-chromium.ts';
import type { HeadlessApi } from './headless-page.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/src/adapters/node/headless-page.ts"></script>`;
/** With these the page may use threads. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Ctrl-C is the command's to handle: it ends with what was done, and closes the browser then. */
const OWN_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

export interface HeadlessOptions {
  /** Path of the GGUF. */
  gguf: string;
  /** Tokens wished for; the model's own training length is the limit. */
  contextLength: number;
}

/** Throws AccessionError `file_unreadable` for the GGUF, `not_found` without a browser. `close` ends page and server. */
export async function openHeadlessWllama(
  options: HeadlessOptions,
): Promise<{ provider: LlmProvider; close(): Promise<void> }> {
  const id = basename(options.gguf);
  const size = await sizeOf(options.gguf);
  const { chromium } = await import('@playwright/test');
  const executablePath = await findChromium();
  const server = await serve(options.gguf, size);
  const browser = await chromium
    .launch({ ...OWN_SIGNALS, executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    .catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  try {
    const page = await opened(await browser.newPage(), server.origin);
    const choice: ModelChoice = { engine: GGUF_ENGINE, id, contextLength: options.contextLength };
    const session = sessionOf(page, choice);
    const loaded = await session.api.load(choice);
    if (!loaded.ok) throw new AccessionError(loaded.failure);
    const provider = createLocalModel({
      engine: GGUF_ENGINE,
      id,
      contextLength: loaded.value.contextLength,
      timers: quietTimers(),
      // The page stays until the end: closed and opened again it would load the weights anew.
      idleMs: 2 ** 31 - 1,
      open: () => session,
    });
    return { provider, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A timer must not keep the process from ending. */
function quietTimers(): Timers {
  const running = new Map<unknown, ReturnType<typeof setTimeout>>();
  return {
    set: (run, ms) => {
      const timer = setTimeout(() => {
        running.delete(timer);
        run();
      }, ms).unref();
      running.set(timer, timer);
      return timer;
    },
    clear: (handle) => {
      clearTimeout(running.get(handle));
      running.delete(handle);
    },
  };
}

async function opened(page: Page, origin: string): Promise<Page> {
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => 'accessionModel' in globalThis);
  return page;
}

/** `choice` is the one that is loaded: asked for with fewer tokens it would be loaded again. */
function sessionOf(page: Page, choice: ModelChoice): ModelSession {
  return {
    api: {
      load: async () => (await page.evaluate((one) => globalThis.accessionModel?.load(one), choice)) ?? gone(),
      infer: async (ticket, _choice, request) => {
        const asked: Parameters<HeadlessApi['infer']> = [ticket, choice, request];
        return (await page.evaluate((all) => globalThis.accessionModel?.infer(...all), asked)) ?? gone();
      },
      // Nobody asks a model of the command line for vectors.
      embed: () => Promise.resolve(fail(failure('model_error', 'This page makes no vectors.'))),
      stop: async (ticket) => page.evaluate((one) => globalThis.accessionModel?.stop(one), ticket),
    },
    died: new Promise((say) => page.on('crash', () => say(new Error('the page crashed')))),
    terminate: () => void page.close().catch(() => undefined),
  };
}

function gone(): Result<never> {
  return fail(failure('worker_died', 'The page of the model is gone.'));
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw failed('file_unreadable', `The model "${path}" cannot be read: ${messageOf(error)}.`);
  }
}

async function serve(gguf: string, size: number): Promise<{ origin: string; close(): Promise<void> }> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: false,
    root: ROOT,
    appType: 'custom',
    logLevel: 'error',
    cacheDir: 'node_modules/.vite-headless',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, headers: ISOLATED },
    plugins: [
      {
        name: 'headless-page',
        configureServer({ middlewares }) {
          middlewares.use((request, response, next) => {
            if (request.url === '/model.gguf') {
              response.writeHead(200, {
                ...ISOLATED,
                'Content-Length': size,
                'Content-Type': 'application/octet-stream',
              });
              createReadStream(gguf).pipe(response);
            } else if (request.url === '/') {
              response.writeHead(200, { ...ISOLATED, 'Content-Type': 'text/html' });
              response.end(PAGE);
            } else next();
          });
        },
      },
    ],
  });
  await vite.listen();
  const address = vite.httpServer?.address() ?? null;
  if (!isAddress(address)) throw new Error('vite gave no address');
  return { origin: `http://127.0.0.1:${address.port}`, close: () => vite.close() };
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
