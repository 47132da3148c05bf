import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** An absolute path in the repository. */
export const repositoryPath = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Creates a temporary folder that is not removed. */
export const makeTempFolder = (name: string) => mkdtempSync(join(tmpdir(), `lectern-${name}-`))

/** Creates temporary folders that are removed after the tests of a file. */
export function useFolders(): () => string {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = makeTempFolder('e2e')
    folders.push(folder)
    return folder
  }
}
