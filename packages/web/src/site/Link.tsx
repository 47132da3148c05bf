import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useSite } from './use-site.ts'

/** A link to another page of ours: a real one, so that it can be opened in a new tab and copied. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const { go } = useSite()
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    rest.onClick?.(event)
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) return
    event.preventDefault()
    go(href)
  }
  return <a {...rest} href={href} onClick={open} />
}
