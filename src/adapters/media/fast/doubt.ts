/** Why the fast way lets a file go: the ffmpeg core takes it. Never shown as a failure of the file. */
export class Doubt extends Error {
  override readonly name = 'Doubt';
}
