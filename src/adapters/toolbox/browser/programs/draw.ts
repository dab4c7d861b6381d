import { openDraw } from '../../engines/draw/draw.ts';
import { serve } from './serve.ts';

serve(() => Promise.resolve(openDraw()));
