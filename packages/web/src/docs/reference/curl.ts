import type { Operation } from './api-document.ts'

/** The request of an operation as a command for a shell, with its example values. */
export function curlOf(base: string, method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => {
    const example = parameters.find(each => each.in === 'path' && each.name === name)?.example
    return example === undefined ? whole : encodeURIComponent(String(example))
  })
  const required = parameters.filter(each => each.in === 'header' && each.required)
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const lines = [
    `curl ${method === 'HEAD' ? '--head ' : method === 'GET' ? '' : `-X ${method} `}'${base}${filled}'`,
    ...(security.length > 0 ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...required.map(({ name, example }) => `-H '${name}: ${example}'`),
    ...(type ? [`-H 'Content-Type: ${type}'`] : []),
    ...bodyOf(content?.example, type),
  ]
  return lines.join(' \\\n  ')
}

function bodyOf(example: unknown, type: string | undefined): string[] {
  if (type === undefined) return []
  if (example === undefined) return ['--data-binary @file']
  return [`-d '${JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`)}'`]
}
