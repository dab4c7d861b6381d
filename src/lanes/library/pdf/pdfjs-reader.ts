/** Text of PDFs by pdf.js. */
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import { loadOnce } from '#core/load-once.ts';
import type { PdfPage, PdfPiece, PdfReader } from '#lanes/library/core/pdf/pdf.ts';

type PdfJs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

export interface PdfFiles {
  load(): Promise<PdfJs>;
  /** Where tables for scripts with many characters are, and the fonts that every reader has; they end with a slash. */
  cMapUrl?: string;
  standardFontDataUrl?: string;
  /** A worker with pdf.js in it, for one file; absent where the file is parsed by whoever asks. */
  openWorker?(): Worker;
}

export function pdfjsReader({ load, openWorker, cMapUrl, standardFontDataUrl }: PdfFiles): PdfReader {
  const library = loadOnce(load);
  return {
    async pages(bytes, cancel) {
      const { getDocument, PDFWorker } = await library();
      const port = openWorker?.();
      // Copied: pdf.js takes the buffer away from whoever gave it, and takes no Buffer of Node.
      const task = getDocument({
        data: new Uint8Array(bytes),
        cMapPacked: true,
        ...(cMapUrl === undefined ? {} : { cMapUrl }),
        ...(standardFontDataUrl === undefined ? {} : { standardFontDataUrl }),
        ...(port === undefined ? {} : { worker: PDFWorker.create({ port }) }),
        ...{ disableFontFace: true, useSystemFonts: false, isEvalSupported: false, verbosity: 0 },
      });
      try {
        const document = await task.promise;
        const pages: PdfPage[] = [];
        for (let number = 1; number <= document.numPages; number++) {
          if (cancel.aborted) throw failed('file_unreadable', 'reading it took too long');
          const page = await document.getPage(number);
          const { width, height } = page.getViewport({ scale: 1 });
          const { items } = await page.getTextContent();
          pages.push({ width, height, pieces: items.flatMap((item) => ('str' in item ? [pieceOf(item)] : [])) });
          page.cleanup();
        }
        return pages;
      } catch (thrown) {
        throw reasonOf(thrown);
      } finally {
        await task.destroy();
        port?.terminate();
      }
    },
  };
}

function pieceOf({ str, transform, width }: { str: string; transform: unknown[]; width: number }): PdfPiece {
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

function reasonOf(thrown: unknown): AccessionError {
  if (thrown instanceof AccessionError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'PasswordException') return failed('file_unreadable', 'it is protected by a password');
  return failed('file_damaged', `it is damaged (${messageOf(thrown)})`);
}
