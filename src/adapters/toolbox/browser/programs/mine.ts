import { openMine } from '../../engines/mine.ts';
import { serve } from './serve.ts';

serve(() => Promise.resolve(openMine()));
