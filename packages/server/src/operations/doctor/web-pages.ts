import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Finding, fail, ok } from './check.ts'

/** The server does not start without its web pages. */
export function webPages(): Finding {
  const folder = join(createRequire(import.meta.url).resolve('@lectern/web/package.json'), '../dist')
  return existsSync(join(folder, 'index.html'))
    ? ok('Built.')
    : fail('Not built: the server cannot start.', 'Run: npm run build.')
}
