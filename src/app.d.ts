// Types that TypeScript's DOM library does not have yet.
declare global {
  /** https://developer.mozilla.org/docs/Web/API/LaunchQueue: files opened with the installed app. */
  interface LaunchParams {
    readonly files: readonly FileSystemHandle[];
    readonly targetURL?: string;
  }
  interface LaunchQueue {
    setConsumer(consumer: (params: LaunchParams) => void): void;
  }
  interface Window {
    readonly launchQueue?: LaunchQueue;
  }
}

export {};
