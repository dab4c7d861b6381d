import type { JobEvidence, LaneTypes } from '#core/job/job.ts';
import type { ReviewTypes } from '#core/job/review.ts';

export interface ParcelEvidence extends JobEvidence {
  /** As it is written on the parcel. */
  street: string;
}

export interface ParcelReviewTypes extends ReviewTypes {
  kind: 'shelf';
  detected: { street: string };
}

/** On which shelf the parcels of a street go. */
export interface Shelf {
  street: string;
  /** `A1`. */
  shelf: string;
}

export interface ParcelRows {
  shelfOf(street: string): Promise<string | null>;
  keep(row: Shelf): Promise<void>;
}

export interface ParcelTypes extends LaneTypes {
  evidence: ParcelEvidence;
  review: ParcelReviewTypes;
  rows: { parcels: ParcelRows };
}
