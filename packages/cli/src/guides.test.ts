import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '@lectern/server/operator'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

const root = fileURLToPath(new URL('../../../', import.meta.url))
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(name =>
  name.endsWith('.md'),
)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The commands of `lectern` in the shell blocks of a document, as words. */
const commandsIn = (text: string): string[][] =>
  [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap(line => /^ *(?:sudo |npx )*lectern ([^#|<>]+)/.exec(line)?.[1] ?? [])
    .map(line =>
      line
        .replace(/"[^"]*"|'[^']*'/g, 'text')
        .trim()
        .split(/\s+/),
    )

/** The words of a command that the command line does not know. */
function unknownIn(words: string[]): string[] {
  let command: Command = createProgram()
  const unknown: string[] = []
  for (const word of words) {
    const next = command.commands.find(each => each.name() === word)
    const isOption = word.startsWith('--') && word !== '--help' && word !== '--version'
    if (next) command = next
    else if (isOption && !command.options.some(({ long }) => long === word.split('=')[0])) unknown.push(word)
    else if (!isOption && command.commands.length > 0) unknown.push(word)
  }
  return unknown
}

interface Setting {
  path: string
  section: string
  key: string
  value: string
}

/** The settings of Lectern in the blocks of a document; units of systemd have the same form. */
const settingsIn = (path: string): Setting[] =>
  [...read(path).matchAll(/^ *```ini\n(.*?)^ *```$/gms)].flatMap(([, block = '']) => {
    if (/^ *\[(Unit|Service|Install)\]$/m.test(block)) return []
    let section = ''
    return block.split('\n').flatMap(line => {
      section = /^ *\[(\w+)\]$/.exec(line)?.[1] ?? section
      const [, key, value] = /^ *(\w+) = (.*)$/.exec(line) ?? []
      return key && value ? [{ path, section, key, value }] : []
    })
  })

describe('the documents', () => {
  it('name commands and options that exist', () => {
    const found = documents.flatMap(path => commandsIn(read(path)).map(words => ({ path, words })))
    expect(found.length).toBeGreaterThan(20)
    const wrong = found.flatMap(({ path, words }) =>
      unknownIn(words).map(word => `${path}: ${words.join(' ')}: ${word}`),
    )
    expect(wrong).toEqual([])
  })

  it('have settings that can be copied as they are, but no secret, which all would share', () => {
    const file = join(folder, 'lectern.ini')
    const faultOf = ({ section, key, value }: Setting) => {
      if (/ [;#]/.test(value)) return 'a comment is a part of the value'
      if (value.includes('…')) return null
      writeFileSync(file, `[${section}]\n${key} = ${value}\n`)
      try {
        loadConfig(file, {})
        return null
      } catch (error) {
        // A contradiction with a key that the block has elsewhere names no line.
        return /:2: (.*)/.exec((error as Error).message)?.[1] ?? null
      }
    }
    const settings = documents.flatMap(settingsIn).map(each => ({ ...each, fault: faultOf(each) }))
    expect(settings.length).toBeGreaterThan(50)
    const isSecret = ({ key }: Setting) => /JwtSecrets?$/.test(key)
    expect(settings.filter(each => !isSecret(each) && each.fault)).toEqual([])
    expect(settings.filter(each => isSecret(each) && !each.fault?.includes('32 characters'))).toEqual([])
  })

  it("have settings for a school's server that the server accepts, together with those of the package", () => {
    const [, block = ''] = /```ini\n(.*?)```/s.exec(read('docs/school-server.md')) ?? []
    const packaged = read('deploy/debian/etc/lectern.ini').replace('@JWT_SECRET@', 'x'.repeat(44))
    const load = (text: string) => {
      writeFileSync(join(folder, 'lectern.ini'), text)
      return loadConfig(join(folder, 'lectern.ini'), {})
    }
    const own = load(block.replaceAll(/^ +/gm, ''))
    expect(own).toMatchObject({
      Server: { Host: '0.0.0.0', Port: 443 },
      Integration: { PublicUrl: 'https://meet.example.org' },
      Turn: { Embedded: true },
      Retention: { Recordings: 90, Guests: 90 },
    })
    // The suggestions in the comments of the package are accepted, too.
    expect(load(packaged)).toMatchObject({ Media: { ListenIp: '0.0.0.0', Port: 40_000 } })
    expect(load(packaged.replace('; Embedded', 'Embedded')).Turn.Embedded).toBe(true)
  })
})
