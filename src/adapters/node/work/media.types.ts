/** What a media thread is started with. */
export interface MediaSetup {
  /** Directory of the blobs in hand. */
  blobs: string;
  /** A native ffmpeg that was found to work; null: the one in WebAssembly. */
  ffmpeg: string | null;
}
