/** Records of recognised videos as a file of the person's. */
import type { VideoExport } from '#lanes/video/core/records/video-record.ts';
import { downloadBlob } from '#ui/parts/download.ts';

/** @param records null: they could not be read, and that was said already */
export function saveRecords(name: string, records: VideoExport | null): void {
  if (records === null) return;
  const text = `${JSON.stringify(records, null, 2)}\n`;
  downloadBlob(`${name}.records.json`, new Blob([text], { type: 'application/json' }));
}
