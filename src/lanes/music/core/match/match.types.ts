import type { Reason } from '#core/job/reason.ts';
import type { Album, Track } from '../catalog.ts';
import type { FileEvidence } from '../evidence/evidence.ts';

/** One file beside one track: what was compared, and what each comparison weighs (log-likelihood against chance). */
export interface PairEvidence {
  /** 0..1; null when the file's name and tags say nothing. */
  title_similarity: number | null;
  /** Seconds, file minus track, after the speed factor; null when either length is unknown. */
  off: number | null;
  /** null when the file has no number. */
  position_agrees: boolean | null;
  artist_similarity: number | null;
  artist_conflict: boolean;
  /** Version words (live, remix) of the file that the track does not have, and the other way round. */
  version_extra: string[];
  version_missing: string[];
  weights: { title: number; duration: number; position: number; artist: number; version: number; total: number };
}

/** One number that the decision rests on: `value * weight = log_odds`. */
export interface DecisionTerm {
  feature: string;
  value: number;
  weight: number;
  log_odds: number;
}

/** The next best track of one file, and what speaks for the chosen one against it. */
export interface RunnerUp extends Pick<TrackOption, 'track_id' | 'album_id' | 'title' | 'album'> {
  /** Log-likelihood that it is behind by; negative when it is ahead by itself and lost to the album as a whole. */
  behind: number;
  /** Strongest first, at most 4. */
  separates: Reason[];
}

/** MATCH-20: why a file was decided as it was, complete: the terms add up to the odds, the vetoes say what struck. */
export interface Explanation {
  /** Version of the calibration profile. */
  profile: string;
  pair: PairEvidence;
  /** The album's length over the file's; 1 but for transfers at another speed. */
  speed: number;
  /** Largest share first; together the log-odds of `raw`. */
  terms: DecisionTerm[];
  /** 0..1 before vetoes. */
  raw: number;
  vetoes: { kind: string; label: string }[];
  /**
   * What set the confidence in the end, where neither `raw` nor a veto did:
   *   album_in_doubt  which album it is has to be asked, so no file of it is sure
   *   album_chosen    a person chose the album: what agrees inside it counts (MATCH-2)
   *   track_chosen    a person chose the track (MATCH-1)
   * Absent in rows from before 0.3.
   */
  limit?: 'album_in_doubt' | 'album_chosen' | 'track_chosen' | null;
  runner_up: RunnerUp | null;
}

export interface TrackOption extends Pick<
  Track,
  'album_id' | 'title' | 'artist' | 'disc' | 'position' | 'duration_ms'
> {
  track_id: string;
  album: string;
  /** 0..1, calibrated. */
  confidence: number;
  reasons: Reason[];
  /** Absent in rows from before 0.3. */
  pair?: PairEvidence;
}

/** Which track of an album option one file would be. */
export interface AlbumPair extends Pick<PairEvidence, 'title_similarity' | 'off' | 'position_agrees'> {
  file_id: string;
  /** null: the file finds no track on this album. */
  track_id: string | null;
}

export interface AlbumOption extends Pick<Album, 'title' | 'artist' | 'year' | 'track_count'> {
  album_id: string;
  /** 0..1, calibrated. */
  confidence: number;
  /** Share 0..1 of the files with a known length whose length fits a track of its own on this album. */
  duration_share: number;
  /** Files that found a track. */
  tracks_fitting: number;
  reasons: Reason[];
  /** A line a file of the group, in its order; absent in rows from before 0.3. */
  pairs?: AlbumPair[];
  /** Tracks of the album that no file is. */
  missing?: number;
  /** Share 0..1 of the shorter one's titles that this album and the best option both have; 1 for that itself. */
  shared_titles?: number;
  /** What tells this option from the others: `13 tracks, the others 12`, `2009`, `"Intro" only here`. Short, at most 3. */
  distinguishing?: string[];
}

/** What was made out of one group of files. */
export interface GroupMatch {
  /** Stable for the same set of files: derived from the smallest file_id. */
  group_id: string;
  file_ids: string[];
  /** `matched`: album decided (files may still be doubtful one by one). `ask_album`: one question for
   *  the album. `no_match`: nothing in the catalog is near. `loose`: files decided one by one, no album. */
  verdict: 'matched' | 'ask_album' | 'no_match' | 'loose';
  album_id: string | null;
  confidence: number;
  /** Best first, at most 5. */
  options: AlbumOption[];
  detected: { album: string | null; artist: string | null; year: number | null; tracks: number };
  reasons: Reason[];
  /** What was searched and how many candidates came, for the trace. */
  searches: { query: string; found: number }[];
}

export interface FileMatch {
  file_id: string;
  group_id: string;
  /** Best assignment, even if it is in doubt. */
  track_id: string | null;
  /** 0..1, calibrated; above the person's threshold it is approved without asking. */
  confidence: number;
  /** Best first, at most 5; the best guess is among them. */
  options: TrackOption[];
  reasons: Reason[];
  /** What the names and tags were read as. */
  detected: { title: string | null; artist: string | null; disc: number | null; position: number | null };
  /** null when no track was assigned; absent in rows from before 0.3. */
  why?: Explanation | null;
}

export interface MatchContext {
  type: 'spontaneous' | 'download_request';
  /** What the pending request wants. */
  request?: { album_id: string | null; track_id: string | null };
  /** A person's word: these files are of this album, `over` those that were offered. Never overridden. */
  chosenAlbums?: { file_ids: string[]; album_id: string; over?: string[] }[];
  /** A person's word about one file: this track, or none (null). Never overridden. */
  chosenTracks?: Record<string, string | null>;
  /** Look at these albums too (the agent's hypotheses, AGENT-5); no evidence in itself. */
  lookAt?: { file_ids: string[]; album_ids: string[] }[];
  /** The person's policy: a remaster or a deluxe edition is the album that the catalog has. */
  sameEditions?: boolean;
  /** A person's word: not this album. */
  rejectedAlbums?: { file_ids: string[]; album_ids: string[] }[];
}

export interface BatchMatch {
  groups: GroupMatch[];
  files: FileMatch[];
}

export interface MatchRequest {
  files: FileEvidence[];
  context: MatchContext;
}
