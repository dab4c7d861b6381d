/** Offers bytes as a file. `name` is cleaned of what file systems refuse. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[\\/:*?"<>|]+/g, '_');
  link.click();
  URL.revokeObjectURL(url);
}
