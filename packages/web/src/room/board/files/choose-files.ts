import { OFFICE_MIME_TYPES } from './office.ts'

/** The types in file dialogs; the server decides by the content. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp'
const SLIDE_TYPES = `application/pdf,${IMAGE_TYPES}`

/** `isOffice`: office documents, too. Some systems know them by their names only. */
export const slideTypes = (isOffice: boolean): string =>
  isOffice ? `${SLIDE_TYPES},${OFFICE_MIME_TYPES},.pptx,.ppsx,.docx,.odp,.odt` : SLIDE_TYPES

let last: HTMLInputElement | null = null

/** Opens the file dialog of the browser. */
export function chooseFiles(accept: string, onChosen: (files: File[]) => void): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', accept, multiple: true, hidden: true })
  // Browsers before the event `cancel` leave the one of a dialog without a choice.
  last?.remove()
  last = input
  // Some browsers forget an input that is in no document.
  document.body.append(input)
  input.addEventListener('change', () => {
    onChosen([...(input.files ?? [])])
    input.remove()
  })
  input.addEventListener('cancel', () => input.remove())
  input.click()
}
