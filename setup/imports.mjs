const clause = String.raw`(?:[\w$]+|\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})`
const from = String.raw`(?:(?<types>type\s+)?${clause}(?:\s*,\s*${clause})?\s*from\s*)?`

/** `import … from '…'`, `import '…'`, `export … from '…'`. The formatter puts statements at the start of a line. */
const statements = new RegExp(String.raw`^(?:import|export)\s*${from}(['"])(?<specifier>[^'"\n]+)\2`, 'gm')

/** `import('…')`, wherever it is but in a comment of its own line. */
const calls = /^(?!\s*(?:\/\/|\*|\/\*)).*?\bimport\(\s*(['"])(?<specifier>[^'"\n]+)\1/gm

/**
 * Finds what a TypeScript file imports. `{ type A }` counts as an import of the module itself, which it is.
 *
 * @param {string} text
 * @returns {{ specifier: string, typesOnly: boolean, line: number }[]}
 */
export function importsIn(text) {
  return [...text.matchAll(statements), ...text.matchAll(calls)].map(({ index, groups }) => ({
    specifier: groups.specifier,
    typesOnly: Boolean(groups.types),
    line: text.slice(0, index).split('\n').length,
  }))
}
