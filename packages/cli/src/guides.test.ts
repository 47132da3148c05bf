import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '@lectern/server/operator'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

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

describe('the documents', () => {
  it('name commands and options that exist', () => {
    const found = documents.flatMap(path => commandsIn(read(path)).map(words => ({ path, words })))
    expect(found.length).toBeGreaterThan(20)
    const wrong = found.flatMap(({ path, words }) =>
      unknownIn(words).map(word => `${path}: ${words.join(' ')}: ${word}`),
    )
    expect(wrong).toEqual([])
  })

  it("have settings for a school's server that the server accepts, together with those of the package", () => {
    const [, block = ''] = /```ini\n(.*?)```/s.exec(read('docs/school-server.md')) ?? []
    const packaged = read('deploy/debian/etc/lectern.ini').replace('@JWT_SECRET@', 'x'.repeat(44))
    const folder = mkdtempSync(join(tmpdir(), 'lectern-guide-'))
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
    // What the package suggests in comments is accepted, too.
    expect(load(packaged)).toMatchObject({ Media: { ListenIp: '0.0.0.0', Port: 40_000 } })
    expect(load(packaged.replace('; Embedded', 'Embedded')).Turn.Embedded).toBe(true)
    rmSync(folder, { recursive: true })
  })
})
