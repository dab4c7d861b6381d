/** `accession documents import|export|cite`: records that come from elsewhere, and what becomes of those in the manifest. */
import { Option, type Command } from 'commander';
import type { CliFrame } from '#cli/lane-cli.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#lanes/documents/core/export/export-records.ts';

const MANIFEST = 'research/out/manifest.json';

interface CaseFlags {
  cases?: string;
  out?: string;
}
interface ImportFlags extends CaseFlags {
  file?: string;
  xml?: string;
  manifest: string;
  dryRun?: boolean;
}
interface CiteFlags extends CaseFlags {
  style: string;
  locale?: string;
  manifest: string;
}

export function registerRecords(documents: Command, { say }: Pick<CliFrame, 'say'>): void {
  documents
    .command('import')
    .description('take listings of documents into the manifest: results of Google Scholar, or rough XML')
    .option('--file <file>', 'a saved page of results')
    .addOption(
      new Option(
        '--xml <file>',
        '<article> or <book> with author, title, isbn, doi, publisher, date, pdf_link, scholar_url',
      ).conflicts('file'),
    )
    .option('--manifest <file>', 'where the manifest is', MANIFEST)
    .option('--dry-run', 'only say what is listed')
    .option('--cases <file>', 'texts { id, form, text } instead, one JSON object a line')
    .option('--out <file>', 'where the answers to --cases go')
    .action(async ({ cases, out, file, xml, manifest, dryRun }: ImportFlags, command: Command) => {
      if (cases !== undefined) {
        if (out === undefined) return command.error(NO_OUT);
        const { importCases } = await import('./import-cases.ts');
        return say(`${await importCases({ cases, out })} cases; the answers are in ${out}`);
      }
      const path = file ?? xml;
      if (path === undefined) return command.error('error: say what to import: --file, --xml or --cases');
      const { importFile } = await import('./records.ts');
      const from = { path, form: xml === undefined ? null : ('xml' as const) };
      process.exitCode = await importFile(from, { manifest, dryRun: dryRun === true }, say);
    });
  documents
    .command('export')
    .description('write the records of the manifest for another program')
    .addOption(new Option('--format <format>', 'the form').choices(EXPORT_FORMATS).makeOptionMandatory())
    .option('--manifest <file>', 'where the manifest is', MANIFEST)
    .option('--out <file>', 'where it goes; without it, to the terminal')
    .action(async ({ format, manifest, out }: { format: ExportFormat; manifest: string; out?: string }) => {
      const { exportFile } = await import('./records.ts');
      await exportFile({ format, manifest, out: out ?? null }, say);
    });
  documents
    .command('cite')
    .description('put citations and works cited in the place of tokens like [@{doi:10.1/x}, p. 4; @{isbn:...}]')
    .argument('[file]', 'a text, usually Markdown')
    .option('--style <style>', 'apa, vancouver, harvard1, or a .csl file', 'apa')
    .option('--locale <language>', 'en-US, de-DE, es-ES, fr-FR, nl-NL; otherwise the one of the style')
    .option('--manifest <file>', 'where the manifest is', MANIFEST)
    .option('--cases <file>', 'texts { id, style, locale, text, manifest } instead, one JSON object a line')
    .option('--out <file>', 'where the text goes; without it, to the terminal')
    .action(async (file: string | undefined, flags: CiteFlags, command: Command) => {
      const { cases, out, style, locale, manifest } = flags;
      if (cases !== undefined) {
        if (out === undefined) return command.error(NO_OUT);
        const { citeCases } = await import('./cite-cases.ts');
        return say(`${await citeCases({ cases, out })} cases; the answers are in ${out}`);
      }
      if (file === undefined) return command.error('error: say which text to cite in, or --cases <file>');
      const { citeFile } = await import('./cite-file.ts');
      process.exitCode = await citeFile({ file, out: out ?? null, style, locale: locale ?? null, manifest }, say);
    });
}

const NO_OUT = 'error: say where the answers go: --out <file>';
