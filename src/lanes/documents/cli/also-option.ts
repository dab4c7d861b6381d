import { Option } from 'commander';
import { MORE_SOURCES } from '#lanes/documents/core/lookup/hosts.ts';

/** Sources that are asked beside the usual ones. */
export const alsoOption = (): Option =>
  new Option('--also <source...>', 'ask these for what the usual sources lack, and for titles').choices(
    Object.keys(MORE_SOURCES),
  );
