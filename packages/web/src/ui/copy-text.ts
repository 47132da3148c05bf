/** Puts a text where pasting takes it from. False where the browser does not let the page do that. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyOldWay(text)
  }
}

/** Pages that are not secure have no clipboard, but may copy what is selected. */
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
