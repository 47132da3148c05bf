import { dirname, join, normalize } from 'node:path/posix'
import { Marked, type Tokens } from 'marked'
import { anchorOf } from './sections.ts'

export interface Heading {
  depth: number
  text: string
  anchor: string
}

/** A part of a page below one heading, for the search. */
export interface Passage extends Heading {
  content: string
}

export interface Rendered {
  html: string
  headings: Heading[]
  passages: Passage[]
}

interface Options {
  /** The document that the text is from; links are relative to it. */
  file: string
  /** Where documents are on the site. */
  addresses: ReadonlyMap<string, string>
  /** Titles of pages by address, shown where a link has the name of a document as its text. */
  titles: ReadonlyMap<string, string>
  /** Added to the level of each heading: a page has one of the first level. */
  deeper: number
}

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, each => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] as string)

/** Markdown without its marks. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^#+ |^[-\s|:]+$|^ *```\w*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The id of a rule: a narrow column must not break it at its hyphen. */
const RULE = /^[A-Z]+-?\d+$/

/** Renders a document of the repository. Raw HTML in it is omitted; links to what the site has not become text. */
export function render(text: string, { file, addresses, titles, deeper }: Options): Rendered {
  const headings: Heading[] = []
  const passages: Passage[] = []
  const marked = new Marked({
    // Addresses in texts are examples, and some contain what looks like a mail address.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth, text: raw }) {
        const level = Math.min(6, depth + deeper)
        const anchor = anchorOf(raw)
        headings.push({ depth: level, text: plain(raw), anchor })
        return `<h${level} id="${anchor}">${this.parser.parseInline(tokens)} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${level}>\n`
      },
      link({ href, tokens, text: name }) {
        const inner = this.parser.parseInline(tokens)
        const address = addressOf(href, file, addresses)
        if (address === null) return inner
        const title = /^\S+\.md$/.test(name) ? titles.get(address.split('#')[0] ?? '') : undefined
        return `<a href="${escapeHtml(address)}">${title === undefined ? inner : escapeHtml(title)}</a>`
      },
      image: ({ text: alternative }) => `<em>${escapeHtml(alternative)}</em>`,
      html: () => '',
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row
            .map(({ text, tokens }) => {
              const attributes = RULE.test(text) ? ' class="rule"' : ''
              return `<${tag}${attributes}>${this.parser.parseInline(tokens)}</${tag}>`
            })
            .join('')
        const head = token.header.some(({ text: cell }) => cell !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : ''
        const rows = token.rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      code: ({ text: code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
    },
  })
  const tokens = marked.lexer(text)
  for (const token of tokens) {
    if (token.type === 'heading')
      passages.push({
        depth: token.depth + deeper,
        text: plain(token.text),
        anchor: anchorOf(token.text),
        content: '',
      })
    else {
      const passage = passages.at(-1)
      if (passage && token.type !== 'html') passage.content += ` ${plain(token.raw)}`
    }
  }
  return { html: marked.parser(tokens), headings, passages }
}

/** Null: the site does not have it. */
function addressOf(href: string, file: string, addresses: ReadonlyMap<string, string>): string | null {
  if (/^[a-z]+:/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  const found = addresses.get(anchor === undefined ? target : `${target}#${anchor}`) ?? addresses.get(target)
  if (found !== undefined) return found
  // The machine-readable descriptions of the control protocol are files of the site.
  return /^docs\/(asyncapi\.json|schemas\/\w+\.json)$/.test(target) ? `/${target}` : null
}
