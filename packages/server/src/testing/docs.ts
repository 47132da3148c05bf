import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Compares a page of docs/ with its generated text. `UPDATE_DOCS=1` writes it. */
export function expectDocument(name: string, printed: string) {
  const file = new URL(`../../../../docs/${name}`, import.meta.url)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, printed)
  const written = readFileSync(file, 'utf8')
  const message = `docs/${name} differs from its source; UPDATE_DOCS=1 updates it`
  expect(withoutPadding(written), message).toBe(withoutPadding(printed))
}

/** The formatter decides the width of table columns. */
const withoutPadding = (text: string) => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---')
