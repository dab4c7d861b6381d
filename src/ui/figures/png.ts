/** A drawing as points, twice as fine as it is on screen. */
const SCALE = 2;

/** Rejects where the browser cannot draw it. */
export async function pngOf(svg: Blob): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(svg);
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('It could not be drawn.')) : resolve(blob)),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
