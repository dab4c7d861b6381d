/** PDFs written to by pdf-lib: an update behind the original, with three objects in it (Info, catalog, XMP). */
import { failed, messageOf } from '#core/errors.ts';
import { loadOnce } from '#core/load-once.ts';
import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';

type PdfLib = typeof import('@cantoo/pdf-lib');

/** Loads what it writes with: an app that is offline later has it then. */
export const loadPdfLib = loadOnce((): Promise<PdfLib> => import('@cantoo/pdf-lib'));

/** Milliseconds: a script that a page asked for in the moment in which its service worker takes over may never come (Firefox). */
const COMES_MS = 30_000;

async function pdfLib(): Promise<PdfLib> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const never = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('it did not come')), COMES_MS);
  });
  try {
    return await Promise.race([loadPdfLib(), never]);
  } finally {
    clearTimeout(late);
  }
}

export function pdfLibWriter(): PdfWriter {
  return {
    async append(bytes, { info, xmp }) {
      const lib = await pdfLib().catch((error: unknown) => {
        throw failed('offline', 'What writes into PDFs is not loaded.', {
          remedy: 'Reload the page, with a network, and try again; nothing was changed.',
          cause: error,
        });
      });
      try {
        const document = await lib.PDFDocument.load(bytes, {
          forIncrementalUpdate: true,
          updateMetadata: false,
          throwOnInvalidObject: true,
        });
        const { context, catalog } = document;
        const signed = signatureOf(lib, document);
        if (signed === 'forbids') throw failed('conflict', 'it is certified, and its certificate forbids changes');
        const dictionary = infoOf(lib, document);
        for (const [name, value] of Object.entries(info))
          dictionary.set(lib.PDFName.of(name), lib.PDFHexString.fromText(value));
        if (xmp !== null) {
          const packet = context.stream(new TextEncoder().encode(xmp), { Type: 'Metadata', Subtype: 'XML' });
          // Always a new object: where the highest one is an old one, pdf-lib says one too few of them in /Size.
          catalog.set(lib.PDFName.of('Metadata'), context.register(packet));
        }
        return { bytes: await document.save(), isSigned: signed === 'signed' };
      } catch (error) {
        throw error instanceof Error && error.name === 'AccessionError'
          ? error
          : failed('file_damaged', `it cannot be written to (${messageOf(error)})`, { cause: error });
      }
    },
  };
}

type Loaded = import('@cantoo/pdf-lib').PDFDocument;

function infoOf({ PDFDict }: PdfLib, { context }: Loaded): import('@cantoo/pdf-lib').PDFDict {
  const there = context.lookup(context.trailerInfo.Info);
  if (there instanceof PDFDict) return there;
  const made = context.obj({});
  context.trailerInfo.Info = context.register(made);
  return made;
}

/** `forbids`: certified so that nothing may change, or forms and notes alone (DocMDP). */
function signatureOf({ PDFDict, PDFName, PDFNumber }: PdfLib, { catalog }: Loaded): 'none' | 'signed' | 'forbids' {
  const permissions = catalog.lookupMaybe(PDFName.of('Perms'), PDFDict);
  if (permissions?.has(PDFName.of('DocMDP')) === true) return 'forbids';
  const form = catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict);
  const flags = form?.lookupMaybe(PDFName.of('SigFlags'), PDFNumber)?.asNumber() ?? 0;
  return (flags & 1) === 1 ? 'signed' : 'none';
}
