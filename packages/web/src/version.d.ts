/** The version of these pages; vite.config.ts puts it in. */
declare const __VERSION__: string
