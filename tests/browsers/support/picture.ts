import type { Tab } from './tab.ts';

/** Pixels: as wide as a scroll bar. */
const EDGE = 8;

/** How light what is seen is (0 black, 1 white), on average: all of it, and its right edge, where a scroll bar is. */
export async function lightness(tab: Tab): Promise<{ all: number; edge: number }> {
  return tab.run(lightnessOf, (await tab.picture()).toString('base64'), EDGE);
}

/** Runs in the page, which can read a picture. */
async function lightnessOf(base64: string, edge: number): Promise<{ all: number; edge: number }> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(image, 0, 0);
  const of = (x: number, width: number): number => {
    const { data } = context.getImageData(x, 0, width, image.height);
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) {
      sum += 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0);
    }
    return sum / (data.length / 4) / 255;
  };
  return { all: of(0, image.width), edge: of(image.width - edge, edge) };
}
