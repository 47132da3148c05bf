import { createRequire } from 'node:module'
import { FONT_FILES } from '@lectern/board'
import { GlobalFonts } from '@napi-rs/canvas'

let isLoaded = false

/** Loads the fonts of texts, once, so that they are drawn as in browsers. */
export function loadFonts(): void {
  if (isLoaded) return
  isLoaded = true
  const { resolve } = createRequire(import.meta.url)
  for (const { family, file } of FONT_FILES) GlobalFonts.registerFromPath(resolve(file), family)
}
