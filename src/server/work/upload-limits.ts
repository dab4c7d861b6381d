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
  /** Announced bytes of one person's resumable uploads that no commit has taken. */
  unfinishedBytes: number;
  /** The same of all people together. */
  unfinishedTotalBytes: number;
  /** Milliseconds without a byte after which such an upload is given up. */
  unfinishedMs: number;
  /** Bytes a second with which a body has to come, on an average of `http/pace.ts`; 0: any. */
  bytesPerSecond: number;
}

export const USUAL_UPLOAD_LIMITS: UploadLimits = {
  files: 1000,
  fields: 32,
  totalBytes: 8192 * 1024 * 1024,
  waitingBytes: 51_200 * 1024 * 1024,
  unfinishedBytes: 10_240 * 1024 * 1024,
  unfinishedTotalBytes: 51_200 * 1024 * 1024,
  unfinishedMs: 7 * 86_400_000,
  bytesPerSecond: 10_000,
};
