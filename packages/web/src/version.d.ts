/** The version of these pages, set by vite.config.ts. */
declare const __VERSION__: string
