/** What a job was matched to, for lists, questions and the output's tags. */
export interface Target {
  track_id: string;
  title: string;
  album_id: string;
  album: string;
}
