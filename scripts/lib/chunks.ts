/**
 * Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are.
 *
 * Which modules stand in one file. Left to itself the bundler makes a file of every set of modules that has the same
 * importers: seventy for the first page, forty for a worker, and a request each. Here what is loaded together is one file.
 */
import type { Plugin } from 'vite';

interface Group {
  name: string;
  /** Its modules, with all that they import at once and that is in no group of a higher priority. */
  test: RegExp;
  priority: number;
}

/** `parts`: regular expressions for the ends of paths, with `/` for any separator. */
const group = (name: string, priority: number, ...parts: readonly string[]): Group => ({
  ...{ name, priority },
  test: new RegExp(`(?:${parts.join('|')})$`.replaceAll('/', String.raw`[\\/]`)),
});

const RUNTIME = String.raw`rolldown/runtime\.js`;

const pageGroups: readonly Group[] = [
  // Kit gives its start what the page says (version, base) before it loads the client, whose modules read that as they
  // begin: what the start itself imports must not bring the client with it.
  group(
    'start',
    10,
    RUNTIME,
    String.raw`/@sveltejs/kit/src/runtime/client/payload\.js`,
    String.raw`vite/preload-helper\.js`,
  ),
  // What is there before a file can be dropped, with the styles of all that is drawn beside it later.
  group(
    'app',
    9,
    String.raw`/src/hooks\.client\.ts`,
    String.raw`/src/routes/\+(?:layout|page)\.(?:svelte|ts)`,
    String.raw`/src/lanes/\w+/ui/lane-ui\.ts`,
    String.raw`/@sveltejs/kit/src/runtime/client/client-entry\.js`,
    String.raw`/generated/build/client-optimized/app\.js`,
    String.raw`/src/ui/(?:shell|ingest|parts)/\w+\.svelte\?svelte&type=style&lang\.css`,
  ),
  // What each start needs as soon as that is drawn: what is stored, who signs in, what the first drop shows.
  group(
    'stored',
    8,
    String.raw`/src/lanes/database\.ts`,
    String.raw`/src/ui/client/sign-in\.ts`,
    String.raw`/src/adapters/browser/lost-drops\.ts`,
    String.raw`/workbox-window/build/workbox-window\.prod\.es5\.mjs`,
    String.raw`/src/ui/remote/give-back\.ts`,
    String.raw`/src/lanes/guide/ui/at-start\.ts`,
    String.raw`/src/ui/ingest/sent-parts\.svelte\.ts`,
    String.raw`/src/ui/ingest/(?:GroupCard|ReadingWork|WorkBar)\.svelte`,
  ),
  { name: 'icons', priority: 1, test: /@lucide/ },
];

/** What a worker is; what of all lanes it asks at its start; what the pipeline opens; the readers of tags. */
export const workerGroups: readonly Group[] = [
  group('main', 9, RUNTIME, String.raw`/workers/\w+\.worker\.ts`),
  group(
    'lanes',
    8,
    String.raw`/src/lanes/\w+/core/lane-core\.ts`,
    String.raw`/src/lanes/\w+/browser/lane-browser\.ts`,
    // What reading an archive and reading a job's file share: else the one would bring the other along.
    String.raw`/@zip\.js/zip\.js/.+\.js`,
    String.raw`/src/adapters/media/(?:paged-blob|legacy-text|archive/zip)\.ts`,
  ),
  // Before what is opened: the worker that takes drops in makes the example, and opens nothing.
  group('example', 7, String.raw`/src/lanes/\w+/browser/example-\w+\.ts`),
  group(
    'open',
    6,
    String.raw`/src/lanes/(?:music|video|documents)/browser/open-\w+\.ts`,
    String.raw`/src/lanes/documents/browser/share/shared-replica\.ts`,
    String.raw`/src/lanes/documents/http/shared-client\.ts`,
  ),
  { name: 'tags', priority: 5, test: /[\\/](?:music-metadata|strtok3|token-types|file-type)[\\/]/ },
];

/** For the app's build of the pages alone: what draws them once to list their addresses is left as it is. */
export function fewChunks(): Plugin {
  return {
    name: 'accession:few-chunks',
    configEnvironment: (name) =>
      name === 'client'
        ? { build: { rolldownOptions: { output: { codeSplitting: { groups: [...pageGroups] } } } } }
        : {},
  };
}
