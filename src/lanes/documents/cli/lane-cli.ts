import type { LaneCli } from '#cli/lane-cli.ts';
import { documentsCommand } from './documents-command.ts';

export const cli: LaneCli = { id: 'documents', commands: [documentsCommand] };
