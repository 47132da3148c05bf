/** Copies a text to the clipboard. False where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyOldWay(text)
  }
}

/** Insecure contexts have no clipboard API, but may copy a selection. */
function copyOldWay(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  const worked = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return worked
}
