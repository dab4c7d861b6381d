import { openCas } from '../../engines/cas/cas.ts';
import { serve } from './serve.ts';

serve(() => Promise.resolve(openCas()));
