/** `8.1 MB`: decimal units, as file managers and shops write them. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

/** `"x.mp3" in "album.zip"`, or `"x.mp3"` alone. */
export function describeFile(name: string, archive: string | null): string {
  return archive === null ? `"${name}"` : `"${name}" in "${archive}"`;
}
