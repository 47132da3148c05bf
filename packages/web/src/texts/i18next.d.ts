import type { en } from './en.ts'

/** Makes `t` refuse a key that does not exist. */
declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}
