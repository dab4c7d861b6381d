import { openSpice } from '../../engines/spice.ts';
import { serve } from './serve.ts';

serve(() => openSpice());
