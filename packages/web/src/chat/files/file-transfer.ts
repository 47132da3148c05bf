import type { ClipboardEvent, DragEvent } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Takes files that are dropped on an element. */
export const dropTarget = (add: (files: Iterable<File>) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    add([...event.dataTransfer.files])
  },
})

/** Files that nothing inside takes are dropped nowhere: the browser would open them in place of the page. */
export const refuseFiles = {
  onDragOver: (event: DragEvent) => {
    if (!hasFiles(event) || event.isDefaultPrevented()) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  },
}

/** Takes files that are pasted; a copied text that comes with a picture of it stays a text. */
export function pasteFiles(event: ClipboardEvent, add: (files: Iterable<File>) => void): void {
  const { files, types } = event.clipboardData
  if (files.length === 0 || types.includes('text/plain')) return
  event.preventDefault()
  add([...files])
}
