import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** A path in the checkout. */
export const inCheckout = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A new folder that outlives the tests, for what people look at. */
export const makeKeptFolder = (name: string) => mkdtempSync(join(tmpdir(), `lectern-${name}-`))

/** New folders that are removed after the tests of the file. */
export function useFolders(): () => string {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = makeKeptFolder('e2e')
    folders.push(folder)
    return folder
  }
}
