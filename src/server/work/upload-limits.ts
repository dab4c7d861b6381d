/** What one request and one person may send and leave to wait: `[ingestion.limits]` of accession.toml. */
export interface UploadLimits {
  /** Files of one upload. */
  files: number;
  /** Plain fields of one upload, and parts that are no file to be taken. */
  fields: number;
  /** Bytes of one upload, all of its files and what is around them. */
  totalBytes: number;
  /** Bytes of one person's uploads that no worker is done with. */
  waitingBytes: number;
  /** Bytes a second with which a body has to come, on an average of `http/pace.ts`; 0: any. */
  bytesPerSecond: number;
}

export const USUAL_UPLOAD_LIMITS: UploadLimits = {
  files: 1000,
  fields: 32,
  totalBytes: 8192 * 1024 * 1024,
  waitingBytes: 51_200 * 1024 * 1024,
  bytesPerSecond: 10_000,
};
