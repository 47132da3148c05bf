/** The types in file dialogs; the server decides by the content. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp'
export const SLIDE_TYPES = `application/pdf,${IMAGE_TYPES}`

/** Opens the file dialog of the browser. */
export function chooseFiles(accept: string, onChosen: (files: File[]) => void): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', accept, multiple: true, hidden: true })
  // Some browsers forget an input that is in no document.
  document.body.append(input)
  input.addEventListener('change', () => {
    onChosen([...(input.files ?? [])])
    input.remove()
  })
  input.addEventListener('cancel', () => input.remove())
  input.click()
}
