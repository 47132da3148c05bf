import { createRequire } from 'node:module'
import type WebPush from 'web-push'

const require = createRequire(import.meta.url)
let library: typeof WebPush | undefined

/** The library, loaded on first use: it takes 10 MB, which servers without push do not need. */
export function webPush(): typeof WebPush {
  library ??= require('web-push') as typeof WebPush
  return library
}
