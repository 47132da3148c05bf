import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Its standard output. @param {string} program @param {string[]} args @param {string} [cwd] */
const outputOf = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' })

/**
 * Adds a package to a repository from which apt installs and upgrades: a folder that any web server serves. Earlier packages
 * in it stay.
 *
 * @param {string} file the package
 * @param {{ folder: string, key?: string | undefined, date?: Date }} options the key that signs it, as gpg names it; without
 *   one, machines have to trust the folder
 */
export function addToRepository(file, { folder, key, date = new Date() }) {
  mkdirSync(folder, { recursive: true })
  copyFileSync(file, join(folder, basename(file)))
  const packages = outputOf('dpkg-scanpackages', ['--multiversion', '.'], folder)
  const indexes = { Packages: Buffer.from(packages), 'Packages.gz': gzipSync(packages, { level: 9 }) }
  for (const [name, bytes] of Object.entries(indexes)) writeFileSync(join(folder, name), bytes)
  const sums = Object.entries(indexes).map(
    ([name, bytes]) => ` ${createHash('sha256').update(bytes).digest('hex')} ${bytes.length} ${name}`,
  )
  const release = `Origin: Lectern
Label: Lectern
Suite: stable
Architectures: ${[...new Set([...packages.matchAll(/^Architecture: (\S+)$/gm)].map(([, name]) => name))].join(' ')}
Date: ${date.toUTCString().replace('GMT', 'UTC')}
SHA256:
${sums.join('\n')}
`
  writeFileSync(join(folder, 'Release'), release)
  rmSync(join(folder, 'InRelease'), { force: true })
  if (!key) return
  const signing = ['--batch', '--yes', '--local-user', key, '--clearsign', '--output', 'InRelease', 'Release']
  outputOf('gpg', signing, folder)
  writeFileSync(join(folder, 'lectern.asc'), outputOf('gpg', ['--batch', '--armor', '--export', key]))
}
