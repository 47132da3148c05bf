import { type RefObject, useLayoutEffect, useRef } from 'react'
import { isTouchKeyboard } from './touch-keyboard.ts'

const FIELD = 'input:is([type=text], [type=search], [type=password], :not([type])):not([hidden])'

/**
 * Opens a dialog modally as long as its component is mounted. A dialog with a text field begins in it. The dialog
 * closes while it is still in the document: only then does the browser return the focus, even when another dialog
 * replaces it.
 */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    if (!isTouchKeyboard()) current?.querySelector<HTMLElement>(FIELD)?.focus()
    return () => current?.close()
  }, [])
  return dialog
}
