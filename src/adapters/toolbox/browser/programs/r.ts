/** R: webR starts a thread of its own, which is made of `r-thread.ts` here, in the same cage. */
import { ChannelType } from 'webr';
import { openR } from '../../engines/r.ts';
import { FILES_AT } from './files.ts';
import { serve } from './serve.ts';

serve(({ files, memoryMb }) => {
  const code = new TextDecoder().decode(files.find(({ name }) => name === 'r-thread.js')?.bytes);
  const Inner = globalThis.Worker;
  Object.defineProperty(globalThis, 'Worker', {
    value: function thread(): Worker {
      const address = `data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`;
      // A module: its names are its own.
      const worker = new Inner(address, { type: 'module' });
      worker.postMessage({ files, memoryMb });
      return worker;
    },
    configurable: true,
  });
  return openR({ baseUrl: FILES_AT, channelType: ChannelType.PostMessage });
});
