import { InvalidArgumentError, Option } from 'commander';
import type { CliFrame, LaneCli } from '#cli/lane-cli.ts';
import { askCheckCommand, askCommand } from './ask-commands.ts';
import { dataOption, directoryOf } from './data-directory.ts';
import { withModelFlags, type ModelFlags } from './model-flags.ts';
import { PROFILES, type Profile } from '#lanes/library/core/vectors/profiles.ts';
import { openEmbedder, withEmbedderFlags, type EmbedderFlags } from './open-embedder.ts';
import { ingestCommand } from './ingest-command.ts';
import { libraryCommand } from './library-command.ts';
import type * as SearchQuestions from './search-questions.ts';
import type * as SearchStore from './search-store.ts';

const agents = ['--agents <dir>', 'agents written in Markdown, beside those of the data directory'] as const;

interface IndexOptions extends ModelFlags, EmbedderFlags {
  data?: string;
  agents?: string;
  watch?: boolean;
  jobs?: number;
}

interface SearchFlags extends EmbedderFlags {
  questions: string;
  library: string;
  out: string;
  k: number;
  profile: Profile;
  agents?: string;
  store?: string;
  data?: string;
}

type HereFlags = Parameters<typeof SearchQuestions.searchQuestions>[0];
type StoreFlags = Parameters<typeof SearchStore.searchStore>[1];

async function searchHere(flags: Omit<HereFlags, 'embedder'> & EmbedderFlags) {
  const { searchQuestions } = await import('./search-questions.ts');
  const embedder = flags.profile === 'bm25' ? null : await openEmbedder(flags);
  return searchQuestions({ ...flags, embedder });
}

async function searchKept(withLibrary: CliFrame['withLibrary'], flags: StoreFlags) {
  const { searchStore } = await import('./search-store.ts');
  let found = { questions: 0, passages: 0 };
  await withLibrary(flags.data, async (kept) => {
    found = await searchStore(kept, flags);
  });
  return found;
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > 100) throw new InvalidArgumentError('say 1 to 100.');
  return count;
}

export const cli: LaneCli = {
  id: 'library',
  stepTools: async (place) => (await import('./step-tools.ts')).stepTools(place),
  commands: [
    ingestCommand,
    {
      stage: 'read',
      register: (program, { say, onStop, openModel }) =>
        withEmbedderFlags(
          withModelFlags(
            program
              .command('index')
              .description('bring the library of a folder up to date: its files as chunks that can be searched')
              .argument('<dir>', 'the folder; nothing is written in it')
              .option('--jobs <count>', 'threads that read files (otherwise one a core)', countOf)
              .option('--watch', 'go on until Ctrl-C: what changes is read again')
              .option(...agents)
              .option(...dataOption),
          ),
        ).action(async (directory: string, { data: place, agents: own, watch, jobs, ...model }: IndexOptions) => {
          const stop = new AbortController();
          onStop(() => stop.abort());
          const embedder = await openEmbedder(model);
          const [{ indexCommand }, { openAsker }] = await Promise.all([
            import('./index-folder.ts'),
            import('./open-asker.ts'),
          ]);
          const { ask, close } = openAsker(model, openModel);
          const data = directoryOf(place === undefined ? {} : { data: place });
          try {
            await indexCommand(directory, { data, agents: own, watch, jobs, cancel: stop.signal, ask, embedder, say });
          } finally {
            await close();
          }
        }),
    },
    libraryCommand,
    {
      stage: 'read',
      register: (program, { say, onStop, withLibrary }) =>
        withEmbedderFlags(
          program
            .command('search')
            .description("find the passages of a folder's library that answer questions")
            .requiredOption('--questions <file>', 'questions, one JSON object { id, question } a line')
            .requiredOption('--library <dir>', 'the folder; its library is brought up to date first')
            .requiredOption('--out <file>', 'where the answers { id, docs } go, one JSON object a line')
            .option('--k <count>', 'passages a question', countOf, 5)
            .addOption(new Option('--profile <name>', 'how passages are ranked').choices([...PROFILES]).default('bm25'))
            .option(...agents)
            .addOption(
              new Option(
                '--store <kind>',
                "search in the server's database instead, which has the folder then",
              ).choices(['sqlite', 'postgres']),
            )
            .option(...dataOption),
        ).action(async (flags: SearchFlags) => {
          const stop = new AbortController();
          onStop(() => stop.abort());
          const own = { ...flags, say, data: directoryOf(flags), cancel: stop.signal };
          const found = await (flags.store === undefined
            ? searchHere(own)
            : searchKept(withLibrary, { ...own, store: flags.store, stop: stop.signal }));
          say(`${found.questions} questions asked, ${found.passages} passages found; they are in ${flags.out}`);
        }),
    },
    askCommand,
    askCheckCommand,
  ],
};
