import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryPath } from './folders.ts'
import { execute } from './partner-story.ts'

/** Clients as a partner installs them, with nothing but the address of the server. `folder` is an empty project. */

/** Returns the names of the package's files. */
export async function installForNode(server: string, folder: string): Promise<string[]> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const quiet = ['--no-audit', '--no-fund']
  await execute('npm', ['install', ...quiet, `${server}/clients/lectern-partner.tgz`], { cwd: folder })
  const installed = join(folder, 'node_modules/@lectern/partner')
  return readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
}

/** Compiles a program strictly, without our other packages and without the types of Node. */
export async function compile(folder: string, program: string): Promise<void> {
  const options = ['--strict', '--target', 'es2022', '--types', '', '--lib', 'es2024,dom']
  for (const resolution of ['nodenext', 'bundler']) {
    const module = ['--module', resolution === 'bundler' ? 'esnext' : resolution]
    const args = [program, ...options, ...module, '--moduleResolution', resolution]
    await execute(repositoryPath('node_modules/.bin/tsc'), args, { cwd: folder })
  }
}

/** Returns the path from which Python imports it. */
export async function installForPython(server: string, folder: string): Promise<string> {
  const target = join(folder, 'packages')
  const wheel = `${server}/clients/lectern_partner-0.2.0-py3-none-any.whl`
  const quiet = ['--disable-pip-version-check', '--no-index']
  await execute('python3', ['-m', 'pip', 'install', ...quiet, '--target', target, wheel])
  return target
}

/** Returns Composer's autoloader. */
export async function installForPhp(server: string, folder: string): Promise<string> {
  const env = { ...process.env, COMPOSER_HOME: join(folder, 'home'), COMPOSER_ALLOW_SUPERUSER: '1' }
  const composer = (...args: string[]) => execute('composer', ['-n', '-q', ...args], { cwd: folder, env })
  writeFileSync(join(folder, 'composer.json'), '{}')
  await composer('config', 'secure-http', 'false') // the server of the test has no certificate
  await composer('config', 'repositories.packagist.org', 'false')
  await composer('config', 'repositories.lectern', 'composer', `${server}/clients`)
  await composer('require', 'lectern/partner')
  return join(folder, 'vendor/autoload.php')
}
