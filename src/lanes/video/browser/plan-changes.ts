/** What a reading of the folder, or the person's word, does to its recognition plan: decided here, applied once. */
import type { PlanService } from '#core/plan/plan-service.ts';
import type { Offer } from '#lanes/video/core/offer.ts';
import type { VideoKind } from '#lanes/video/core/plan-kinds.ts';

export type PlanChange =
  { do: 'propose' | 'replace'; offer: Offer } | { do: 'decide'; status: 'completed' | 'rejected' };

/** The folder was read: its plan is offered anew, or taken back where nothing is to be offered. */
export function afterReading(isOffered: boolean, offer: Offer): PlanChange[] {
  if (offer.files.length > 0) return [{ do: isOffered ? 'replace' : 'propose', offer }];
  return isOffered ? [{ do: 'decide', status: 'rejected' }] : [];
}

/** The person confirmed the files as they left them (`offer`), or rejected the plan. */
export function afterDecision(isOffered: boolean, status: 'completed' | 'rejected', offer: Offer): PlanChange[] {
  if (status === 'completed')
    return [
      { do: isOffered ? 'replace' : 'propose', offer },
      { do: 'decide', status },
    ];
  return isOffered ? [{ do: 'decide', status }] : [];
}

export interface PlanOwner {
  service: PlanService<VideoKind>;
  mediaFolderPath: string;
  /** Of the plan that waits; null where none does. */
  planId: string | null;
}

/** @returns the id of the plan that waits afterwards; null where none does */
export async function applyChanges(
  { service, mediaFolderPath, planId }: PlanOwner,
  changes: readonly PlanChange[],
  by: string,
): Promise<string | null> {
  let id = planId;
  for (const change of changes) {
    if (change.do === 'propose') {
      const kept = await service.propose({ task: 'recognize-media-file', mediaFolderPath, ...change.offer }, by);
      id = kept.plan.id;
    } else if (id !== null && change.do === 'replace') {
      await service.replaceFiles(id, change.offer.files, change.offer.hintOf);
      await service.note(id, change.offer.notes);
    } else if (id !== null && change.do === 'decide') {
      await service.update(id, change.status, by);
      id = null;
    }
  }
  return id;
}
