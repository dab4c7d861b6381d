import type { LaneCommand } from '#cli/lane-cli.ts';

/** `library`: the server's folders, indexed beside it. */
export const libraryCommand: LaneCommand = {
  stage: 'work',
  register: (program, { say, onStop, withLibrary }) =>
    program
      .command('library')
      .description("index the folders of accession.toml into the server's database; works beside a running server")
      .option('--once', 'stop when no folder waits')
      .option('--holder <name>', 'of this process; what one of this name held is free again')
      .option('--data <dir>', 'data directory of the server')
      .action(async (flags: { once?: boolean; data?: string; holder?: string }) => {
        const stop = new AbortController();
        onStop(() => stop.abort());
        // A server's own indexer ends with it, however that ends; without a channel this never happens.
        process.once('disconnect', () => stop.abort());
        process.channel?.unref();
        const { indexServerFolders } = await import('./index-server.ts');
        await withLibrary(flags.data, (kept) =>
          indexServerFolders(kept, { ...flags, once: flags.once === true, stop: stop.signal, say }),
        );
      }),
};
