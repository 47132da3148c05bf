const clause = String.raw`(?:[\w$]+|\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})`
const from = String.raw`(?:(?<types>type\s+)?${clause}(?:\s*,\s*${clause})?\s*from\s*)?`

/** `import … from '…'`, `import '…'`, `export … from '…'`. The formatter puts statements at the start of a line. */
const statements = new RegExp(String.raw`^(?:import|export)\s*${from}(['"])(?<specifier>[^'"\n]+)\2`, 'gm')

/** `import('…')`, except in comment lines. */
const calls = /^(?!\s*(?:\/\/|\*|\/\*)).*?\bimport\(\s*(['"])(?<specifier>[^'"\n]+)\1/gm

/**
 * Finds the imports of a TypeScript file. `{ type A }` counts as a value import, because it loads the module.
 *
 * @param {string} text
 * @returns {{ specifier: string, typesOnly: boolean, line: number }[]}
 */
export function importsIn(text) {
  return [...text.matchAll(statements), ...text.matchAll(calls)].map(({ index, groups = {} }) => ({
    specifier: groups.specifier,
    typesOnly: Boolean(groups.types),
    line: text.slice(0, index).split('\n').length,
  }))
}
