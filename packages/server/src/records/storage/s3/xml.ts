/** The little XML that S3 answers with: flat lists of known elements (no attributes, no CDATA, no nesting of one name). */

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? entity
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })

/** The text of the first element of that name; null if there is none. */
export function textOf(xml: string, name: string): string | null {
  const [inner] = elements(xml, name)
  return inner === undefined ? null : decode(inner)
}

/** The content of all elements of that name. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner]) => inner ?? '')
