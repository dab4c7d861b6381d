import { inBrowser } from './kinds.ts';

export const webllm = inBrowser({
  id: 'webllm',
  label: 'This browser, on the graphics card',
  about: 'WebLLM. The quickest of the local ones; needs WebGPU and a download of 0.3 to 5 GB.',
  takesContextLength: false,
});
