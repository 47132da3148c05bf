import type { adminEn } from './admin-en.ts'
import type { en } from './en.ts'
import type { homeEn } from './home-en.ts'

/** Makes `t` reject keys that do not exist. */
declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en & typeof homeEn & typeof adminEn }
  }
}
