/** PDFs by pdf.js. */
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import { LockedPdf, type PdfLink, type PdfPiece, type PdfText } from '#core/ingest/pdf.ts';
import { loadOnce } from '#core/load-once.ts';
import type { KeptWorkers } from './kept-workers.ts';

type PdfJs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

export interface PdfFiles {
  load(): Promise<PdfJs>;
  /** Where tables for scripts with many characters are, and the fonts that every reader has; they end with a slash. */
  cMapUrl?: string;
  standardFontDataUrl?: string;
  /** Workers with pdf.js in them; absent where files are parsed by whoever asks. */
  workers?: KeptWorkers;
}

export function pdfjsText({ load, workers, cMapUrl, standardFontDataUrl }: PdfFiles): PdfText {
  const library = loadOnce(load);
  return {
    async open(bytes, password) {
      const { AnnotationType, getDocument, PDFWorker } = await library();
      const kept = await workers?.take();
      // Copied: pdf.js takes the buffer away from whoever gave it, and takes no Buffer of Node.
      const task = getDocument({
        data: new Uint8Array(bytes),
        cMapPacked: true,
        ...(password === undefined ? {} : { password }),
        ...(cMapUrl === undefined ? {} : { cMapUrl }),
        ...(standardFontDataUrl === undefined ? {} : { standardFontDataUrl }),
        ...(kept === undefined ? {} : { worker: PDFWorker.create({ port: kept.worker }) }),
        ...{ disableFontFace: true, useSystemFonts: false, isEvalSupported: false, verbosity: 0 },
      });
      let sound = true;
      const close = async (): Promise<void> => {
        await task.destroy();
        kept?.giveBack(bytes.length, sound);
      };
      const named = <T>(work: () => Promise<T>): Promise<T> =>
        work().catch((thrown: unknown) => {
          sound = false;
          throw reasonOf(thrown);
        });
      try {
        const document = await task.promise;
        const page = async (number: number) => await document.getPage(number);
        return {
          pages: document.numPages,
          page: (number) =>
            named(async () => {
              const one = await page(number);
              const { width, height } = one.getViewport({ scale: 1 });
              const { items } = await one.getTextContent();
              one.cleanup();
              return { width, height, pieces: items.flatMap((item) => ('str' in item ? [pieceOf(item)] : [])) };
            }),
          links: (number) =>
            named(async () => {
              // A page's own getAnnotations reads all of its text once more, for the words beneath each link.
              const others = new Set(Array.from({ length: document.numPages }, (_, i) => i).toSpliced(number - 1, 1));
              const found: unknown = await document.getAnnotationsByType(new Set([AnnotationType.LINK]), others);
              return Array.isArray(found) ? found.flatMap(linkOf) : [];
            }),
          facts: () =>
            named(async () => {
              const { info, metadata } = await document.getMetadata();
              return { info: textsOf(info), xmp: xmpOf(metadata) };
            }),
          close,
        };
      } catch (thrown) {
        sound = false;
        await close();
        throw reasonOf(thrown);
      }
    },
  };
}

/** A piece of pdf.js' text content, in points. */
export function pieceOf({ str, transform, width }: { str: string; transform: unknown[]; width: number }): PdfPiece {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform.map(Number);
  return {
    text: str,
    x,
    y,
    width,
    size: Math.hypot(c, d) || Math.hypot(a, b),
    turned: Math.abs(b) > Math.abs(a) || a < 0,
  };
}

/** pdf.js gives annotations without types. */
function linkOf(annotation: { subtype?: unknown; url?: unknown; unsafeUrl?: unknown; rect?: unknown }): PdfLink[] {
  const address = annotation.url ?? annotation.unsafeUrl;
  const rect = Array.isArray(annotation.rect) ? annotation.rect.map(Number) : [];
  const [left, lower, right, upper] = rect;
  if (typeof address !== 'string' || left === undefined || lower === undefined || right === undefined) return [];
  return upper === undefined ? [] : [{ address, box: [left, lower, right, upper] }];
}

/** The texts of the Info dictionary; what has no usual name stands in `Custom`. */
function textsOf(info: object): Map<string, string> {
  const custom = 'Custom' in info && typeof info.Custom === 'object' ? (info.Custom ?? {}) : {};
  // A Map since pdf.js 6, an object before.
  const own: [unknown, unknown][] = custom instanceof Map ? [...custom] : Object.entries(custom);
  const all = [...Object.entries(info), ...own];
  return new Map(
    all.filter((entry): entry is [string, string] => typeof entry[0] === 'string' && typeof entry[1] === 'string'),
  );
}

function xmpOf(metadata: { getRaw(): unknown } | null): string | null {
  const raw = metadata?.getRaw();
  return typeof raw === 'string' ? raw : null;
}

/** What pdf.js threw, as a failure. */
export function reasonOf(thrown: unknown): AccessionError {
  if (thrown instanceof AccessionError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  // 1: it wants one; 2: another one than that.
  if (name === 'PasswordException')
    return new LockedPdf(thrown instanceof Error && 'code' in thrown && thrown.code === 2);
  return failed('file_damaged', `it is damaged (${messageOf(thrown).replace(/\.$/, '')})`);
}
