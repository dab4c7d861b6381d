/** The Web Lock of whoever renames; one for all folders, because a folder that was opened may be inside another one. */
const RENAME_LOCK = 'accession-rename';

/** Until it is released, or its page ends; null when somebody else has it. `locks` is `navigator.locks`. */
export function holdRenameLock(locks: LockManager): Promise<(() => Promise<void>) | null> {
  return new Promise((answer, reject) => {
    const held = locks.request(RENAME_LOCK, { ifAvailable: true }, async (lock) => {
      if (lock === null) return answer(null);
      await new Promise<void>((release) => {
        answer(async () => {
          release();
          await held;
        });
      });
    });
    held.catch(reject);
  });
}

/** Whether files are being renamed now, from this tab or another. */
export async function isRenaming(locks: LockManager): Promise<boolean> {
  const { held } = await locks.query();
  return held?.some(({ name }) => name === RENAME_LOCK) ?? false;
}
