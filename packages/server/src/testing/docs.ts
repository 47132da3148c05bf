import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Compares a page of docs/ with what is printed from the source. `UPDATE_DOCS=1` writes it anew. */
export function expectDocument(name: string, printed: string) {
  const file = new URL(`../../../../docs/${name}`, import.meta.url)
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, printed)
  const written = readFileSync(file, 'utf8')
  const says = `docs/${name} is not what the source says; UPDATE_DOCS=1 writes it anew`
  expect(withoutPadding(written), says).toBe(withoutPadding(printed))
}

/** How wide the columns of a table are is a formatter's affair. */
const withoutPadding = (text: string) => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---')
