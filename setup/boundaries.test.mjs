import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findViolations } from './boundaries.mjs'
import * as layers from './import-layers.mjs'
import { root } from './paths.mjs'

/** @type {string[]} */
const folders = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const strict = {
  ...layers,
  packages: { ...layers.packages, partner: ['protocol (types)'] },
  folderExceptions: [],
}

/**
 * Violations in a tree of these files; names begin below packages/.
 *
 * @param {Record<string, string>} files
 * @param {Parameters<typeof findViolations>[1]} [rules]
 */
function check(files, rules = strict) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-boundaries-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'packages', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return findViolations(folder, rules)
}

describe('import boundaries', () => {
  it('pass a clean tree', () => {
    const violations = check({
      'protocol/src/index.ts': `import { Type } from 'typebox'\nexport * from './rooms.js'`,
      'partner/src/index.ts': `import type { Room } from '@lectern/protocol'`,
      'server/src/main.ts': `import { openDatabase } from './platform/db/open.js'\nimport { createIntegration } from './partners/index.js'`,
      'server/src/sessions/core.ts': `import { Refusal } from '@lectern/protocol'\nimport type { Media } from './ports.js'`,
      'server/src/partners/stores/rooms.ts': `import { sql } from 'kysely'\nimport type { Rooms } from '../ports.js'`,
      'server/src/accounts/accounts.ts': `import type { UserStore } from './stores/users.js'`,
      'server/src/records/routes/rooms/routes.ts': `import { core } from '../../../sessions/core.js'\nimport { clock } from '../../../platform/clock.js'`,
      'server/src/http/rooms/routes.test.ts': `import { openDatabase } from '../../platform/db/open.js'`,
      'server/src/http/testing.ts': `import { openDatabase } from '../platform/db/open.js'`,
    })
    expect(violations).toEqual([])
  })

  it('name the file, the line, what is imported, and the rule', () => {
    const violations = check({ 'web/src/page.ts': `\nimport {\n  start,\n} from '@lectern/server'` })
    expect(violations).toEqual([
      'packages/web/src/page.ts:2 imports @lectern/server: of our packages, web imports common, protocol, board, control-client, embed',
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
    ['values of a store', 'server/src/accounts/a.ts', `import { userStore } from './stores/users.js'`],
    ['stores into sessions', 'server/src/sessions/a.ts', `import type { B } from './stores/b.js'`],
    [
      'stores into a folder without any',
      'server/src/control/a.ts',
      `import type { B } from '../accounts/stores/b.js'`,
    ],
    ['another folder into sessions', 'server/src/sessions/a.ts', `import type { B } from '../http/b.js'`],
    ['a library into sessions', 'server/src/sessions/a.ts', `import { b } from 'mediasoup'`],
    [
      'media by its default export',
      'server/src/records/jobs/a.ts',
      `import b, { c } from '../../media/b.js'`,
    ],
    ['db by its effects', 'server/src/http/server.ts', `import '../platform/db/b.js'`],
    ['storage through an export', 'server/src/records/a.ts', `export * from './storage/b.js'`],
    ['partners by a call', 'server/src/http/a.ts', `const b = await import('../partners/b.js')`],
    ['a higher folder into a lower one', 'server/src/accounts/a.ts', `import type { B } from '../http/b.js'`],
    ['a feature into the platform', 'server/src/platform/clock.ts', `import { b } from '../accounts/b.js'`],
    ['main.ts into a folder', 'server/src/http/a.ts', `import type { B } from '../main.js'`],
    ['a folder that the table does not list', 'server/src/new/a.ts', `import { b } from '../http/b.js'`],
    ['values of a port', 'server/src/partners/stores/a.ts', `import { b } from '../ports.js'`],
    ['types beside a port', 'server/src/partners/stores/a.ts', `import type { B } from '../rooms.js'`],
  ])('refuse %s', (_, file, text) => {
    expect(check({ [file]: text })).toHaveLength(1)
  })

  it('find no import in comments, strings and other statements', () => {
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

  it('report import cycles with their files, also where only types are imported', () => {
    const files = {
      'web/src/a.ts': `import { b } from './b.js'`,
      'web/src/b.ts': `import type { A } from './a.js'`,
      'embed/src/a.ts': `import { b } from './b.js'`,
      'embed/src/b.ts': `import { c } from './c.js'`,
      'embed/src/c.ts': `import './a.js'`,
    }
    expect(check(files).sort()).toEqual([
      '2 files import each other in a cycle:\n    packages/web/src/a.ts\n    packages/web/src/b.ts',
      [
        '3 files import each other in a cycle:',
        'packages/embed/src/a.ts',
        'packages/embed/src/b.ts',
        'packages/embed/src/c.ts',
      ].join('\n    '),
    ])
  })

  it('accept listed exceptions, and report those that are not needed any more', () => {
    const rules = {
      ...strict,
      folderExceptions: ['accounts -> http', 'platform -> http'],
    }
    const files = {
      'server/src/accounts/a.ts': `import { b } from '../http/b.js'`,
    }
    expect(check(files, rules)).toEqual([
      'setup/import-layers.mjs: the exception for platform -> http is not needed any more',
    ])
  })

  it('have a table of packages that exist', () => {
    const folders = Object.keys(layers.packages).map(name => join(root, 'packages', name))
    expect(folders.filter(folder => !existsSync(join(folder, 'package.json')))).toEqual([])
  })

  it('have tables in which every layer imports lower ones only', () => {
    for (const table of [layers.packages, layers.serverFolders]) {
      const names = Object.keys(table)
      for (const [index, name] of names.entries())
        for (const lower of table[name]) expect(names.slice(0, index)).toContain(lower.split(' ')[0])
    }
  })
})
