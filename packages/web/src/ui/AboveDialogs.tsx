import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

/**
 * Keeps its content usable while a modal dialog is open, which makes the rest of the page inert: the content is then a
 * part of that dialog. It keeps its state when dialogs open and close.
 */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const [host] = useState(createHost)
  // Before the effects of the content, which may focus something.
  useLayoutEffect(() => {
    const place = () => {
      const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
      if (host.parentElement !== parent) parent.append(host)
    }
    place()
    const observer = new MutationObserver(place)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open'] })
    return () => {
      observer.disconnect()
      host.remove()
    }
  }, [host])
  return createPortal(children, host)
}

/** Without a box: it is no item in the layout of a dialog. */
function createHost(): HTMLElement {
  const host = document.createElement('div')
  host.style.display = 'contents'
  return host
}
