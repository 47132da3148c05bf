import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addToRepository } from './apt-repository.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-apt-'))
process.env.GNUPGHOME = join(folder, 'gpg')
mkdirSync(process.env.GNUPGHOME, { mode: 0o700 })
afterAll(() => {
  execFileSync('gpgconf', ['--kill', 'all'])
  rmSync(folder, { recursive: true, force: true })
})

const KEY = 'releases@school.example'

/** @param {string} version */
function build(version) {
  const tree = join(folder, `tree-${version}`)
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true })
  const control = `Package: lectern-example\nVersion: ${version}\nArchitecture: all\nMaintainer: Lectern <lectern@localhost>\nDescription: example\n`
  writeFileSync(join(tree, 'DEBIAN/control'), control)
  const file = join(folder, `lectern-example_${version}_all.deb`)
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, file])
  return file
}

/** What apt on a machine of its own offers. @param {string} options of the source */
function offered(options, repository = join(folder, 'repository')) {
  const root = mkdtempSync(join(folder, 'machine-'))
  for (const path of ['lists/partial', 'cache/archives/partial', 'etc/preferences.d', 'etc/apt.conf.d'])
    mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, 'sources.list'), `deb [${options}] file:${repository} ./\n`)
  writeFileSync(join(root, 'status'), '')
  const settings = [
    `Dir::Etc=${root}/etc`,
    `Dir::Etc::SourceList=${root}/sources.list`,
    `Dir::Etc::SourceParts=-`,
    `Dir::State::Lists=${root}/lists`,
    `Dir::State::Status=${root}/status`,
    `Dir::Cache=${root}/cache`,
    'APT::Sandbox::User=root',
  ].flatMap(setting => ['-o', setting])
  execFileSync('apt-get', [...settings, 'update'], { stdio: 'pipe' })
  return execFileSync('apt-cache', [...settings, 'madison', 'lectern-example'], { encoding: 'utf8' })
}

it('apt installs and upgrades from the repository, which keeps earlier packages', () => {
  const repository = join(folder, 'repository')
  addToRepository(build('1.0'), { folder: repository })
  expect(offered('trusted=yes')).toMatch(/\| +1\.0 \|/)
  expect(() => offered(`signed-by=${repository}/lectern.asc`)).toThrow()

  execFileSync('gpg', ['--batch', '--passphrase', '', '--quick-generate-key', KEY, 'ed25519', 'sign'], {
    stdio: 'pipe',
  })
  addToRepository(build('1.1'), { folder: repository, key: KEY })
  expect(offered(`signed-by=${repository}/lectern.asc`)).toMatch(/\| +1\.1 \|[\s\S]*\| +1\.0 \|/)
  expect(readdirSync(repository)).toContain('InRelease')
})
