/** Lets the browser save what the address leads to. */
export function saveFrom(url: string, name?: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name ?? ''
  link.rel = 'noreferrer'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Lets the browser save a text. */
export function saveText(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  saveFrom(url, name)
  // Firefox reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Letters with the marks above and below them, without which words of some scripts cannot be read. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}]+/gu
const NAME_MAX = 60

/** The name of a transcript of something with this title, which every system accepts. */
export function transcriptName(title: string, ending: 'txt' | 'vtt'): string {
  const name = title.replaceAll(NOT_IN_NAMES, '-').replaceAll(/^-+|-+$/g, '')
  return `${Array.from(name).slice(0, NAME_MAX).join('') || 'transcript'}.${ending}`
}
