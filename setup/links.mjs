/** Links between the documents of the repository, and citations of documents in code. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * @param {string} root
 * @param {{ path: string, text: string }[]} texts
 * @returns {string[]} a line for each link or citation whose target does not exist
 */
export function findBrokenLinks(root, texts) {
  const anchors = new Map(texts.filter(isDocument).map(({ path, text }) => [path, anchorsOf(text)]))
  return texts.flatMap(({ path, text }) =>
    targetsIn(path, text)
      .filter(({ file, anchor }) => isBroken(root, anchors, file, anchor))
      .map(({ file, anchor }) => `${path}: ${file}${anchor === undefined ? '' : `#${anchor}`}`),
  )
}

/** @param {{ path: string }} text */
const isDocument = ({ path }) => path.endsWith('.md')

/**
 * @param {string} root
 * @param {Map<string, Set<string>>} anchors of each document
 * @param {string} file
 * @param {string | undefined} anchor
 */
function isBroken(root, anchors, file, anchor) {
  if (anchor === undefined || !file.endsWith('.md')) return !existsSync(join(root, file))
  return !anchors.get(file)?.has(anchor)
}

/** Links of documents are relative; code cites `docs/<name>.md` from the root. @param {string} path @param {string} text */
function targetsIn(path, text) {
  const found = isDocument({ path })
    ? [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, file, anchor]) => ({
          file: file === '' ? path : normalize(join(dirname(path), file ?? '')),
          anchor,
        }),
      )
    : []
  const cited = [...text.matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(
    ([, file = '', anchor]) => ({ file, anchor }),
  )
  const files = path.startsWith('docs/') ? filesNamedIn(text) : []
  return isDocument({ path }) ? [...found, ...files] : cited
}

/** Files of the repository that a document names as code, such as `e2e/room.spec.ts`. @param {string} text */
const filesNamedIn = text =>
  [...text.matchAll(/`((?:e2e|bench|setup|packages|examples)\/[\w./-]+\.[a-z]+)`/g)].map(([, file = '']) => ({
    file,
    anchor: undefined,
  }))

/** The anchors of a document's headings, as GitHub makes them. @param {string} text @returns {Set<string>} */
function anchorsOf(text) {
  return new Set(
    [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  )
}

/** @param {string} text */
const withoutFences = text => text.replace(/^ *```[\s\S]*?^ *```/gm, '')
/** @param {string} text */
const withoutCode = text => withoutFences(text).replace(/`[^`\n]*`/g, '')
