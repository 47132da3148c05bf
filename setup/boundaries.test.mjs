import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findViolations } from './boundaries.mjs'

/** @type {string[]} */
const folders = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Violations in a tree of these files; names begin below packages/. @param {Record<string, string>} files */
function check(files) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-boundaries-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'packages', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return findViolations(folder)
}

describe('import boundaries', () => {
  it('pass a clean tree', () => {
    const violations = check({
      'protocol/src/index.ts': `import { Type } from 'typebox'\nexport * from './rooms.js'`,
      'partner/src/index.ts': `import type { Room } from '@lectern/protocol'`,
      'server/src/main.ts': `import { openDatabase } from './db/open.js'\nimport { standalone } from './integration/hooks.js'`,
      'server/src/sessions/core.ts': `import { Refusal } from '@lectern/protocol'\nimport type { Media } from './ports.js'`,
      'server/src/db/rooms.ts': `import { sql } from 'kysely'\nimport type { Rooms } from '../integration/ports.js'`,
      'server/src/http/rooms/routes.ts': `import { core } from '../../sessions/core.js'`,
      'server/src/http/rooms/routes.test.ts': `import { openDatabase } from '../../db/open.js'`,
      'server/src/http/testing.ts': `import { openDatabase } from '../db/open.js'`,
    })
    expect(violations).toEqual([])
  })

  it('name the file, the line, what is imported, and the rule', () => {
    const violations = check({ 'web/src/page.ts': `\nimport {\n  start,\n} from '@lectern/server'` })
    expect(violations).toEqual([
      'packages/web/src/page.ts:2 imports @lectern/server: of our packages, web imports common, protocol, control-client',
    ])
  })

  it.each([
    ['a package that is not allowed', 'protocol/src/a.ts', `import { b } from '@lectern/server'`],
    ['a part of such a package', 'cli/src/a.ts', `import { b } from '@lectern/web/b'`],
    ['the files of another package', 'recorder/src/a.ts', `import { b } from '../../server/src/b.js'`],
    ['values where types are allowed', 'partner/src/a.ts', `import { b } from '@lectern/protocol'`],
    [
      'marked names where types are allowed',
      'partner/src/a.ts',
      `import { type B } from '@lectern/protocol'`,
    ],
    ['anything of ours into an unknown package', 'new/src/a.ts', `import { b } from '@lectern/protocol'`],
    ['another room into sessions', 'server/src/sessions/a.ts', `import type { B } from '../http/b.js'`],
    ['a library into sessions', 'server/src/sessions/a.ts', `import { b } from 'mediasoup'`],
    ['media by its default export', 'server/src/jobs/a.ts', `import b, { c } from '../media/b.js'`],
    ['db by its effects', 'server/src/server.ts', `import './db/b.js'`],
    ['storage through an export', 'server/src/records/a.ts', `export * from '../storage/b.js'`],
    ['integration by a call', 'server/src/http/a.ts', `const b = await import('../integration/b.js')`],
    ['values of a port', 'server/src/db/a.ts', `import { b } from '../integration/ports.js'`],
    ['types beside a port', 'server/src/db/a.ts', `import type { B } from '../integration/rooms.js'`],
  ])('refuse %s', (_, file, text) => {
    expect(check({ [file]: text })).toHaveLength(1)
  })

  it('see no import in comments, strings and other statements', () => {
    const text = [
      ` * import { b } from '@lectern/server'`,
      `  // await import('@lectern/server')`,
      `export const from = '@lectern/server'`,
      `export type A = '@lectern/server'`,
      `export interface B {}`,
      `import type { C } from 'react'`,
    ].join('\n')
    expect(check({ 'web/src/a.ts': text })).toEqual([])
  })
})
