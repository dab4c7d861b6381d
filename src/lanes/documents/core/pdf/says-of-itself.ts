/** Identifiers in the Info dictionary and in the XMP packet of a PDF. */
import { xmpProperties } from '#core/documents/xmp-properties.ts';
import type { PdfFacts } from '#core/ingest/pdf.ts';
import type { DocumentEvidence } from '../identify/evidence.ts';
import { findIdentifiers } from '../identify/identifiers.ts';

/** Properties of XMP that name the document: PRISM (prismstandard.org), Dublin Core, publishers' own. */
const PROPERTIES =
  /^(?:prism:(?:doi|url|isbn)|dc:(?:identifier|source)|pdfx:(?:doi|arxivid|wps-articledoi)|crossmark:doi|jav:doi|pdf:doi|bibteximport.*doi.*|xmp:identifier)$/i;
/** Entries of the Info dictionary that may hold one. */
const ENTRIES = /^(?:doi|isbn|arxivid|subject|title|keywords|wps-articledoi|wps-proclevel)$/i;

/** In the order XMP, Info. */
export function saysOfItself({ info, xmp }: PdfFacts): DocumentEvidence[] {
  const fields = [
    ...(xmp === null ? [] : xmpProperties(xmp).filter(([name]) => PROPERTIES.test(name))).map(
      ([name, text]) => ['xmp', name, text] as const,
    ),
    ...[...info].filter(([name]) => ENTRIES.test(name)).map(([name, text]) => ['info', name, text] as const),
  ];
  return fields.flatMap(([kind, name, text]) =>
    findIdentifiers(/isbn/i.test(name) ? `ISBN ${text}` : text).map((one): DocumentEvidence => ({
      field: one.kind,
      value: one.value,
      kind,
      page: null,
      box: null,
      words: `${name}: ${text.slice(0, 200)}`,
    })),
  );
}
