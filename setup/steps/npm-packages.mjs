import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../hash.mjs'
import { root } from '../paths.mjs'
import { step } from '../progress.mjs'
import { run } from '../run.mjs'

const stampFile = join(root, 'node_modules', '.lectern-setup.json')

/** Installs the npm packages of package-lock.json, unless they are what the last installation left. */
export async function installNpmPackages() {
  const stamp = JSON.stringify({
    lock: hashOf([join(root, 'package-lock.json')]),
    // Compiled modules fit one version of Node's binary interface, one system and one processor.
    node: `${process.platform}-${process.arch}-${process.versions.modules}`,
  })
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  // Not `npm ci`: that refuses a lock written where the registry lacks optional packages of other platforms.
  // With --no-save this takes the locked versions, too, and leaves the lock alone.
  // No package runs a script of its own accord: the two that need a binary have steps of their own
  // (native-modules.mjs, media-worker.mjs); all others ship theirs in packages of the registry.
  const args = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']
  await step('Installing npm packages', () => run('npm', [...args, '--loglevel=warn'], { cwd: root }))
  writeFileSync(stampFile, stamp)
}
