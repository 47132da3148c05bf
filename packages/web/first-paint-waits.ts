import type { Plugin } from 'vite'

/** The user's theme is known to the script only: nothing is painted before it has run. */
export const firstPaintWaits: Plugin = {
  name: 'first-paint-waits',
  transformIndexHtml: {
    order: 'post',
    handler: html => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}
