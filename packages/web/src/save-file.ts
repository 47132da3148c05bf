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
