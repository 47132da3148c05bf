/**
 * `node package-repository-program.ts FOLDER`: makes a signed apt repository of the built checkout in the folder, as `npm run package`
 * does, with three versions: `next`, the same one as `first` in the next revision, and `released`, which calls itself 0.1.0 and
 * has the same contents, too. Beside it the data that 0.1.0 left (`store-0.1.0.tar`). Prints the versions as JSON.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeStore } from '../../packages/server/src/testing/store-0.1.0/write.ts'
import { addToRepository } from '../../setup/packaging/apt-repository.mjs'
import { buildDebianPackage } from '../../setup/packaging/debian-package.mjs'

const KEY = 'releases@school.example'
const RELEASED = '0.1.0-1'

/** Adds a package $4: the package $1, with the version $3 instead of $2. Contents are not packed again, which takes long. */
const RELABEL = `set -e; cd "$(dirname "$1")"
dpkg-deb --control "$1" control
sed -i "s/^Version: $2\\$/Version: $3/" control/control
grep -q "^Version: $3\\$" control/control
tar --owner=0 --group=0 -C control -cf control.tar .
cp "$1" "$4"
ar r "$4" control.tar
rm -r control control.tar`

const folder = process.argv[2] ?? ''
const work = mkdtempSync(join(folder, 'work-'))
process.env.GNUPGHOME = mkdtempSync('/tmp/lectern-gpg-') // sockets have short paths
try {
  const file = await buildDebianPackage({ out: work, revision: '1', compression: 'none' })
  const first = /_([^_]+)_/.exec(file)?.[1] ?? ''
  const next = first.replace(/1$/, '2')
  for (const version of [next, RELEASED]) relabel(file, first, version)
  const newKey = ['--batch', '--quiet', '--passphrase', '', '--quick-generate-key', KEY, 'ed25519', 'sign']
  execFileSync('gpg', newKey, { stdio: 'ignore' })
  addToRepository(file, { folder, key: KEY })
  const store = join(work, 'store')
  writeStore(store)
  execFileSync('tar', ['-C', store, '-cf', join(folder, 'store-0.1.0.tar'), '.'])
  console.log(JSON.stringify({ first, next, released: RELEASED }))
} finally {
  execFileSync('gpgconf', ['--kill', 'all'])
  for (const each of [work, process.env.GNUPGHOME]) rmSync(each, { recursive: true, force: true })
}

function relabel(file: string, from: string, to: string): void {
  const relabelled = join(folder, basename(file).replace(from, to))
  execFileSync('sh', ['-c', RELABEL, 'sh', file, from, to, relabelled])
}
