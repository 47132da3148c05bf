import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from '../paths.mjs'
import { composerPackage } from './composer-package.mjs'
import { npmPackage } from './npm-package.mjs'
import { pythonWheel } from './python-wheel.mjs'

/** What every server serves at /clients and /embed.js, beside the pages: whoever has its address can install the clients. */
export async function buildClients() {
  const pages = join(root, 'packages/web/dist')
  const folder = join(pages, 'clients')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'packages/partner/package.json'), 'utf8'))
  const wheel = pythonWheel()
  const composer = composerPackage(version, '/clients/lectern-partner-php.zip')
  const files = {
    'lectern-partner.tgz': await npmPackage('partner'),
    'lectern-embed.tgz': await npmPackage('embed'),
    [wheel.name]: wheel.content,
    'lectern-partner-php.zip': composer.archive,
    'packages.json': composer.index,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const script = await embedScript()
  writeFileSync(join(pages, 'embed.js'), script)
  writeFileSync(join(pages, 'embed.js.br'), brotliCompressSync(script))
  writeFileSync(join(pages, 'embed.js.gz'), gzipSync(script, { level: 9 }))
}

/** `<lectern-room>` for a script tag of any page. */
async function embedScript() {
  const { rolldown } = await import('rolldown') // loaded only when needed, because it is slow to load
  const build = await rolldown({ input: join(root, 'packages/embed/src/script.ts'), platform: 'browser' })
  const { output } = await build.generate({ format: 'iife', name: 'Lectern', minify: true })
  await build.close()
  return output[0].code
}
