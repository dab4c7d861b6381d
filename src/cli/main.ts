/** The command line: `accession catalog import FILE`, `accession match ...`. Exit codes: 0 done, 1 failed, 2 wrong usage. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { toFailure } from '#core/errors.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { catalogImport } from './catalog-import.ts';

/** The same database that a server on this data directory uses, whether one runs or not. */
async function openCatalog(): Promise<Store> {
  const data = resolve(process.env['ACCESSION_DATA']?.trim() || './data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const path = join(data, 'catalog.db');
  return openStore(sqliteFile(path), randomUUID);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const program = new Command('accession')
  .description('Accession from a terminal. ACCESSION_DATA says where the catalog is (default ./data).')
  .exitOverride();

program
  .command('catalog')
  .description('the catalog')
  .command('import')
  .argument('<file>', 'JSON file { artists, albums, tracks }')
  .description('import a catalog, all rows or none; works beside a running server')
  .action(async (file: string) => {
    const store = await openCatalog();
    try {
      await catalogImport(store, resolve(file), say);
    } finally {
      await store.close();
    }
  });

program
  .command('match')
  .description('match files to the tracks of a catalog and write one prediction a line')
  .requiredOption('--catalog <file>', 'catalog as JSON')
  .requiredOption('--cases <file>', 'cases, one JSON object a line')
  .requiredOption('--out <file>', 'where the predictions go')
  .action(async (options: { catalog: string; cases: string; out: string }) => {
    const { matchCommand } = await import('./match.ts');
    const { cases, files } = await matchCommand(options);
    say(`${files} files of ${cases} cases matched; predictions are in ${options.out}`);
  });

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said what is wrong already; help and version are no failure.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    const failure = toFailure(error);
    const remedy = failure.code === 'internal' ? '' : ` ${failure.remedy}`;
    process.stderr.write(`accession: ${failure.message}${remedy}\n`);
    process.exitCode = 1;
  }
}
