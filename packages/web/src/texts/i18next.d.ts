import type { English } from './catalogue.ts'

/** Makes `t` reject keys that do not exist. */
declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: English['core'] &
        English['room'] &
        English['roomParts'] &
        English['board'] &
        English['home'] &
        English['admin']
    }
  }
}
