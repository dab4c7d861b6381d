/** A PDF drawn by pdf.js on a page: one page of it at a time, with its text over it to be selected. */
import type { PdfBox, PdfPage } from '#core/ingest/pdf.ts';
import { pieceOf, reasonOf } from './pdfjs-text.ts';

type PdfJs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/** Where a page is drawn. */
export interface PdfSheet {
  canvas: HTMLCanvasElement;
  /** Gets the page's text, a piece an element. */
  text: HTMLElement;
}

/** A page that was drawn, in CSS pixels. */
export interface DrawnPage {
  width: number;
  height: number;
  /** Left, top, width, height of a box of the page. */
  place(box: PdfBox): [number, number, number, number];
}

export interface PdfView {
  readonly pages: number;
  /** Every number of a page counts from 1. */
  page(number: number): Promise<PdfPage>;
  /** @returns null where another page was wanted meanwhile */
  draw(number: number, sheet: PdfSheet, scale: number): Promise<DrawnPage | null>;
  close(): Promise<void>;
}

/** Throws AccessionError: `file_damaged`, or `file_unreadable` for a password. `bytes` are taken away from the caller. */
export async function openPdfView(
  pdfjs: PdfJs,
  { bytes, password = null }: { bytes: ArrayBuffer; password?: string | null },
  worker: Worker,
): Promise<PdfView> {
  const { getDocument, PDFWorker, TextLayer } = pdfjs;
  const task = getDocument({
    data: new Uint8Array(bytes),
    worker: PDFWorker.create({ port: worker }),
    ...(password === null ? {} : { password }),
    // Letters are drawn as shapes: fonts would need styles that the page's policy refuses.
    ...{ disableFontFace: true, useSystemFonts: false, isEvalSupported: false, verbosity: 0 },
  });
  const close = async (): Promise<void> => {
    await task.destroy();
    worker.terminate();
  };
  try {
    const document = await task.promise;
    let drawing: { cancel(): void } | null = null;
    let wanted = 0;
    return {
      pages: document.numPages,
      async page(number) {
        const one = await document.getPage(number);
        const { width, height } = one.getViewport({ scale: 1 });
        const { items } = await one.getTextContent();
        return { width, height, pieces: items.flatMap((item) => ('str' in item ? [pieceOf(item)] : [])) };
      },
      async draw(number, { canvas, text }, scale) {
        const mine = ++wanted;
        drawing?.cancel();
        const one = await document.getPage(number);
        if (mine !== wanted) return null;
        const viewport = one.getViewport({ scale });
        const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
        canvas.width = Math.floor(viewport.width * ratio);
        canvas.height = Math.floor(viewport.height * ratio);
        canvas.style.inlineSize = `${viewport.width}px`;
        canvas.style.blockSize = `${viewport.height}px`;
        const render = one.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
        text.replaceChildren();
        text.style.setProperty('--total-scale-factor', `${scale}`);
        const layer = new TextLayer({ textContentSource: one.streamTextContent(), container: text, viewport });
        drawing = {
          cancel() {
            render.cancel();
            layer.cancel();
          },
        };
        try {
          await Promise.all([render.promise, layer.render()]);
        } catch (thrown) {
          if (mine !== wanted) return null;
          throw thrown;
        }
        return {
          width: viewport.width,
          height: viewport.height,
          place([left, lower, right, upper]) {
            const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, lower).map(Number);
            const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, upper).map(Number);
            return [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
          },
        };
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw reasonOf(thrown);
  }
}
