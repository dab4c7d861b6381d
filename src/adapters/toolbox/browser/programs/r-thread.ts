/** The thread in which R computes: the files first, then webR's own worker as if it had been loaded. */
import { FILES_AT, runText, serveFiles, type GivenFile } from './files.ts';
import { boundMemory, takeCaches } from './take-away.ts';

takeCaches();

addEventListener(
  'message',
  ({ data }: MessageEvent<{ files: readonly GivenFile[]; memoryMb: number }>) => {
    boundMemory(data.memoryMb);
    serveFiles(data.files);
    const worker = data.files.find(({ name }) => name === 'webr-worker.js');
    runText(`${new TextDecoder().decode(worker?.bytes)}\n//# sourceURL=${FILES_AT}webr-worker.js`);
  },
  { once: true },
);
