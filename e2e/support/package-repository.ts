import { readFileSync } from 'node:fs'
import { repositoryPath } from './folders.ts'
import { ensureBuilt } from './lectern.ts'
import type { usePrograms } from './program.ts'

/** Versions of the package in the repository, as package-repository-program.ts explains. */
export type Versions = Record<'first' | 'next' | 'released', string>

/** Makes an apt repository of the built checkout in a folder. */
export async function makePackageRepository(
  run: ReturnType<typeof usePrograms>,
  folder: string,
): Promise<Versions> {
  ensureBuilt()
  const made = run(process.execPath, [repositoryPath('e2e/support/package-repository-program.ts'), folder])
  const { code } = await made.ended
  if (code !== 0) throw new Error(`There are no packages: ${made.stdout}${made.stderr}`)
  return JSON.parse(made.stdout.trim().split('\n').at(-1) ?? '')
}

/** What docs/packages.md says of repositories, with a folder in place of a web server: the machine has no network. */
export const ADD_REPOSITORY = `set -e
cp /srv/shared/lectern.asc /etc/apt/keyrings/lectern.asc
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*
echo 'deb [signed-by=/etc/apt/keyrings/lectern.asc] file:/srv/shared ./' > /etc/apt/sources.list.d/lectern.list
apt-get update`

/** Gives the package 0.1.0 the data of such an installation, with its secret $1 and its address $2. */
export const FILL_RELEASED = `set -e
tar -C /var/lib/lectern --no-overwrite-dir -xf /srv/shared/store-0.1.0.tar
chown -R lectern:lectern /var/lib/lectern
sed -i "s|^JwtSecret = .*|JwtSecret = $1|; s|^; Enabled = 1|Enabled = 1|; s|^; PublicUrl = .*|PublicUrl = $2|" /etc/lectern/lectern.ini`

/** What clients of that installation had been given. */
export const releasedFacts = JSON.parse(
  readFileSync(repositoryPath('packages/server/src/testing/store-0.1.0/facts.json'), 'utf8'),
)
