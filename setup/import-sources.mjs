import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'

/**
 * Preloaded by threads of unit tests: they import our packages from source, so that no test runs against a stale build.
 * Node removes the types; nothing else is compiled.
 */
const require = createRequire(import.meta.url)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = sourceOf(specifier)
    return source ? { url: source, shortCircuit: true } : nextResolve(specifier, context)
  },
})

/** @param {string} specifier */
function sourceOf(specifier) {
  const [, name, entry = ''] = /^@lectern\/([\w-]+)(\/.+)?$/.exec(specifier) ?? []
  if (!name) return null
  const { exports } = require(`../packages/${name}/package.json`)
  const [, path] = /^\.\/dist\/(.+)\.js$/.exec(exports?.[`.${entry}`]?.default) ?? []
  const source = new URL(`../packages/${name}/src/${path}.ts`, import.meta.url)
  return existsSync(source) ? source.href : null
}
